#include "scenarios/document/questionnaire.hpp"

#include "tests/catch.hpp"

namespace headrace::scenarios {
namespace {

TEST_CASE("every answer that a question has to pick from can be read, as can its examples") {
  const Catalogue& catalogue = Catalogue::shipped();
  for (const Question& question : kQuestions) {
    const std::vector<std::string> choices = choices_of(question, catalogue);
    CHECK(choices.size() >= 3);
    for (const std::string& choice : choices) {
      INFO(question.key << ": " << choice);
      const Answers answers{{std::string(question.key), choice}};
      const auto wrong = check_answer(std::string(question.key), choice, catalogue);
      CHECK((wrong ? wrong->message : "") == "");
      const auto drafted = draft_scenario(answers, catalogue);
      CHECK((drafted ? "" : drafted.error().message) == "");
    }
  }
}

TEST_CASE("a question is asked with its note, or with its choices where these are all") {
  const auto asked = [](std::string_view key) {
    for (const Question& question : kQuestions)
      if (question.key == key) return question_text(question);
    return std::string();
  };
  CHECK(asked("layout") == "Single files, or many samples in one? (files, shards, tokens, parquet, hdf5, tfrecord)");
  CHECK(asked("nvme") == "Local NVMe of a node that may cache data? (none)");
  CHECK(asked("epochs") == "How many epochs?");
}

}  // namespace
}  // namespace headrace::scenarios
