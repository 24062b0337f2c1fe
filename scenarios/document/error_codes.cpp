#include "scenarios/document/error_codes.hpp"

#include <array>

namespace headrace::scenarios {
namespace {

constexpr std::array<ErrorCode, 56> kCodes = {{
    {"E0101", "cannot read the file",
     "The file does not exist, may not be read, or is not a regular file. Paths given on the command line are relative "
     "to the working folder; paths in \"extends\" are relative to the file that contains them, then looked up among "
     "the shipped scenarios."},
    {"E0102", "the path is a folder", "A scenario is one file. Name a file inside the folder."},
    {"E0103", "the file is empty", "The file has no JSON value. headrace init prints a scenario to start from."},
    {"E0104", "the file is too large",
     "Headrace does not read scenario files over 16 MB: no scenario needs that much text, so this is probably the "
     "wrong file."},
    {"E0105", "not valid JSON",
     "The text is not valid JSON (RFC 8259) at the position shown. JSON has no comments (use a key \"//\"), no "
     "trailing commas, and only double quotes."},
    {"E0106", "nested too deeply", "Objects and lists may be nested up to 64 levels deep."},
    {"E0107", "number out of range",
     "The number does not fit a double (about 1.8e308). NaN and infinity do not exist in JSON."},
    {"E0108", "duplicate key", "One object has the same key twice. JSON readers would silently keep only one of them."},
    {"E0109", "not UTF-8", "Files are UTF-8 text. Save the file again with that encoding."},
    {"E0110", "not a table",
     "A table of measurements is comma-separated text whose first line names the columns (RFC 4180). Every row has as "
     "many cells as the header; quote a cell that contains a comma, a quote or a line break, and double the quotes "
     "inside."},
    {"E0130", "no calibration in the file",
     "headrace calibrate --show and --compare read files of headrace calibrate -o, which have a record under "
     "\"calibration\"."},
    {"E0131", "a document of another kind",
     "Every document says its kind, and a command reads those of some kinds only; the message names both."},
    {"E0132", "a changed document",
     "A saved document lacks a value that its kind has, or has one of another type there: it was changed by hand, "
     "truncated or damaged. The place is the last value that could be read. Write the document again."},
    {"E0140", "figures contradict each other",
     "Figures of an imported file contradict each other by more than 5 %: bytes and operations times their size, or "
     "more outstanding operations (rate times latency, Little's law) than the depth. The file is damaged, was edited, "
     "or does not state how it was measured."},
    {"E0141", "not a file of this program",
     "headrace import FORMAT reads files of the program of that name. This text has another format, is truncated, or "
     "is from a failed run. headrace import --help lists the formats and the options that write them."},
    {"E0201", "wrong type",
     "The value has another type than the parameter: for example a list where a number is needed."},
    {"E0202", "missing key", "The parameter has no default, so the file must give it."},
    {"E0203", "unknown key",
     "No parameter of this name exists here. Unknown keys are errors, so that a typing mistake never becomes a "
     "default. Write remarks under keys that start with \"//\"."},
    {"E0204", "missing unit",
     "A physical number is a string with its unit, for example \"25 GB/s\". A bare number other than 0 could mean bits "
     "or "
     "bytes, seconds or milliseconds."},
    {"E0205", "wrong or unknown unit",
     "The unit does not exist or measures something else. b is bits and B is bytes; k M G T P are powers of 1000 and "
     "Ki Mi "
     "Gi Ti Pi powers of 1024; letters are case sensitive."},
    {"E0206", "not a finite number", "A number must be finite and written in decimal digits."},
    {"E0207", "outside the hard limits",
     "No system can have this value: for example a negative capacity or zero nodes."},
    {"E0208", "unknown choice", "The parameter takes one of a few words; the message lists them."},
    {"E0209", "not modelled yet",
     "The key belongs to the fixed shape of a scenario, but no model reads it yet. It is an error, because an ignored "
     "key would give the answer to another question. Remove the key, or keep it under \"//\"."},
    {"E0210", "constraint violated", "Two or more parameters contradict each other; the message has their numbers."},
    {"E0211", "no element of this name", "A reference names an element that does not exist in the scenario."},
    {"E0212", "name used twice",
     "Names are unique within their kind, because references and layers find elements by name."},
    {"E0213", "unknown catalogue name",
     "The catalogue has no entry of this name. Give the figures as an object instead."},
    {"E0214", "wrong number of elements", "The list has fewer or more elements than allowed."},
    {"E0215", "not exactly one alternative",
     "The value is an object with one key that names the alternative, for example {\"lognormal\": {...}}."},
    {"E0216", "no figure at this pointer",
     "An entry of input_ranges names its figure by JSON pointer, as --set does, for example /stores/0/latency, or "
     "/stores/0/latency/lognormal/cv for the spread of a distribution. Counts, choices and names are decisions and "
     "have no range."},
    {"E0217", "not a condition",
     "A threshold is a relation and a limit with its unit: \"< 5 %\", \">= 1.2 GB/s\". On the command line the metric "
     "comes first: --slo \"gpu_idle_fraction < 5 %\". A change is relative in percent, or absolute: --fail-if "
     "\"step_time_s > +3 %\", \"gpu_idle_fraction > +1 points\"."},
    {"E0218", "no such metric or job",
     "A threshold names a metric of the outcome (headrace explain --reference metrics), a quantile "
     "(batch_load_time_s.p50, .p90, .p99, .p999), the waits that a stage causes (blame/transfer), or one of them for a "
     "job: jobs/NAME/step_time_s."},
    {"E0219", "a unit with two readings",
     "People read the spelling in two ways: 100 gbps as bytes or bits, 115kb as kilobytes or kilobits, 4 KB as 4000 or "
     "4096 bytes. The message gives both readings and the factor between them. 200G is 200 Gb/s where the rate is that "
     "of a network link, and has two readings elsewhere."},
    {"E0220", "not a date", "A date of the growth part is a day of the calendar, written YYYY-MM-DD: 2026-10-01."},
    {"E0301", "files extend each other in a cycle", "A file extends itself, directly or through other files."},
    {"E0302", "bad override path",
     "An override is a JSON pointer, an equals sign and a value: --set /jobs/0/loader/workers=16. List elements count "
     "from "
     "0; - appends."},
    {"E0303", "not an object", "A scenario file is one JSON object."},
    {"E0304", "cannot write the file", "The folder does not exist or may not be written, or the disk is full."},
    {"E0305", "not a catalogue file",
     "A file of --catalogue has \"section\", \"version\" and \"entries\", one object for each name."},
    {"E0306", "not a result",
     "A result is the JSON of headrace simulate --json. A baseline is a file of headrace check --baseline FILE "
     "--promote."},
    {"E0501", "not an axis",
     "An axis names a parameter (or several that change together) by JSON pointer, and its values: a list, or a range "
     "with from, to and step, or from, to and count. No value is repeated."},
    {"E0502", "not a range",
     "A range increases from \"from\" to \"to\", both numbers or both quantities of one kind, with a \"step\" or a "
     "\"count\"; \"scale\": \"log\" needs a count and a start above 0."},
    {"E0503", "not a condition",
     "A condition compares an axis with a value or with another axis (is, is_not, in, less_than, at_most, more_than, "
     "at_least), or joins conditions by all, any, not, or if and then. Only numbers and quantities of one kind have an "
     "order."},
    {"E0504", "no points, or too many",
     "A space has at least one axis, at least one point and at most a million combinations. If the axes are too many "
     "to cross, draw points with a Latin hypercube."},
    {"E0506", "too many configurations",
     "A plan bounds every configuration of its decisions, up to five million, of which at most two thousand "
     "combinations of names, distributions or objects."},
    {"E0507", "decisions contradict each other",
     "A parameter is decided once, and parameters in `with` have as many values as their decision."},
    {"E0508", "epochs of different data",
     "A plan compares epochs, so every configuration must read the same samples, or the same bytes. A decision that "
     "changes both needs `with`, for the parameter that keeps the data the same. For shards of another size the number "
     "of files follows automatically."},
    {"E0550", "a claim is missing",
     "An offer states what its store delivers, each figure with its evidence class, normal and while a part of it has "
     "failed. What is not claimed cannot be compared: ask the vendor, or state it with evidence \"assumed\"."},
    {"E0551", "claims contradict each other",
     "Figures of one offer exclude each other, for example units that deliver less together than the whole is said to, "
     "or more while a part has failed. The message has their numbers."},
    {"E0601", "not a results store", "The file is not a database, or belongs to another program. Name another file."},
    {"E0602", "a newer results store",
     "The store was written by a newer version of headrace. Use that version, or another file."},
    {"E0603", "the store cannot be used",
     "The folder does not exist or may not be written, or the disk is full. Stored results are kept; the same call "
     "continues from there."},
    {"E0604", "the store is busy",
     "Another program has locked the store for half a minute. Writers wait for each other, so one that hangs stops "
     "them all: end it, or give each its own store and merge them."},
    {"E0605", "stores contradict each other",
     "Two stores have different results for the same key, although the same model version always gives the same "
     "result. A changed program computed one of them. Nothing was merged."},
    {"E0606", "a damaged results store",
     "Every row of a store has a sum over its cells, and the rows named here do not match theirs, or the file itself "
     "is "
     "damaged. headrace sweep computes damaged points again; headrace report and headrace merge use none of the store, "
     "so that nothing is left out in silence."},
}};

}  // namespace

std::span<const ErrorCode> error_codes() { return kCodes; }

const ErrorCode* find_error_code(std::string_view code) {
  for (const ErrorCode& entry : kCodes) {
    if (entry.code == code) return &entry;
  }
  return nullptr;
}

}  // namespace headrace::scenarios
