#include "gui/presenter/parameter_tree.hpp"

#include <algorithm>

#include "gui/presenter/short_name.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {

struct ParameterTree::Item {
  Item* above = nullptr;
  int row = 0;
  std::string key;
  int value = -1;  ///< index into the sheet; -1: a section
  std::vector<std::unique_ptr<Item>> below;

  Item* child(const std::string& name) {
    for (const auto& item : below)
      if (item->key == name && item->value < 0) return item.get();
    return add(name);
  }
  Item* add(const std::string& name) {
    below.push_back(std::make_unique<Item>());
    below.back()->above = this;
    below.back()->row = static_cast<int>(below.size()) - 1;
    below.back()->key = name;
    return below.back().get();
  }
};

ParameterTree::ParameterTree(QObject* parent) : QAbstractItemModel(parent), root_(std::make_unique<Item>()) {}
ParameterTree::~ParameterTree() = default;

void ParameterTree::build() {
  root_ = std::make_unique<Item>();
  for (std::size_t i = 0; i < sheet_.size(); ++i) {
    const auto tokens = scenarios::pointer_tokens(sheet_[i].pointer).value_or(std::vector<std::string>{});
    if (tokens.empty()) continue;
    Item* at = root_.get();
    for (std::size_t t = 0; t + 1 < tokens.size(); ++t) at = at->child(tokens[t]);
    at->add(tokens.back())->value = static_cast<int>(i);
  }
}

void ParameterTree::show(std::vector<ParameterValue> sheet) {
  const bool same = std::equal(sheet.begin(), sheet.end(), sheet_.begin(), sheet_.end(),
                               [](const ParameterValue& a, const ParameterValue& b) { return a.pointer == b.pointer; });
  if (!same) {
    beginResetModel();
    sheet_ = std::move(sheet);
    build();
    endResetModel();
    return;
  }
  std::vector<std::string> changed;
  for (std::size_t i = 0; i < sheet.size(); ++i)
    if (sheet[i].value != sheet_[i].value || sheet[i].origin != sheet_[i].origin ||
        sheet[i].evidence != sheet_[i].evidence)
      changed.push_back(sheet[i].pointer);
  sheet_ = std::move(sheet);
  for (const std::string& pointer : changed) {
    const QModelIndex first = index_of(pointer);
    Q_EMIT dataChanged(first, first.siblingAtColumn(kColumns - 1));
  }
}

const ParameterValue* ParameterTree::find(const std::string& pointer) const {
  const auto found =
      std::find_if(sheet_.begin(), sheet_.end(), [&](const ParameterValue& value) { return value.pointer == pointer; });
  return found == sheet_.end() ? nullptr : &*found;
}

QModelIndex ParameterTree::index_of(const std::string& pointer) const {
  const auto tokens = scenarios::pointer_tokens(pointer).value_or(std::vector<std::string>{});
  const Item* at = root_.get();
  QModelIndex place;
  for (const std::string& token : tokens) {
    const auto found =
        std::find_if(at->below.begin(), at->below.end(), [&](const auto& item) { return item->key == token; });
    if (found == at->below.end()) return {};
    place = index((*found)->row, 0, place);
    at = found->get();
  }
  return place;
}

const ParameterTree::Item& ParameterTree::item_at(const QModelIndex& index) const {
  return index.isValid() ? *static_cast<const Item*>(index.internalPointer()) : *root_;
}

QModelIndex ParameterTree::index(int row, int column, const QModelIndex& parent) const {
  const Item& above = item_at(parent);
  if (row < 0 || row >= static_cast<int>(above.below.size()) || column < 0 || column >= kColumns) return {};
  return createIndex(row, column, above.below[static_cast<std::size_t>(row)].get());
}

QModelIndex ParameterTree::parent(const QModelIndex& child) const {
  if (!child.isValid()) return {};
  Item* above = item_at(child).above;
  if (above == nullptr || above == root_.get()) return {};
  return createIndex(above->row, 0, above);
}

int ParameterTree::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : static_cast<int>(item_at(parent).below.size());
}

int ParameterTree::columnCount(const QModelIndex& /*parent*/) const { return kColumns; }

/// ", storage" of an element of a list that is called so.
std::string ParameterTree::name_in(const Item& section) const {
  if (section.key.find_first_not_of("0123456789") != std::string::npos) return {};
  for (const auto& item : section.below)
    if (item->key == "name" && item->value >= 0) return ", " + sheet_[static_cast<std::size_t>(item->value)].value;
  return {};
}

QVariant ParameterTree::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Item& item = item_at(index);
  if (role == kPathRole) {
    std::string path;
    for (const Item* at = &item; at->above != nullptr; at = at->above)
      path = scenarios::join_pointer("", at->key) + path;
    return QString::fromStdString(path);
  }
  if (item.value < 0) {
    if (index.column() == kName && role == Qt::DisplayRole)
      return QString::fromStdString(reports::words(item.key) + name_in(item));
    if (role == Qt::AccessibleTextRole) return QString::fromStdString("section " + item.key);
    return {};
  }
  const ParameterValue& value = sheet_[static_cast<std::size_t>(item.value)];
  switch (role) {
    case kEvidenceRole:
      return QString::fromStdString(value.evidence);
    case kPointerRole:
      return QString::fromStdString(value.pointer);
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
      return QString::fromStdString(tooltip(value));
    case Qt::DisplayRole:
    case Qt::EditRole:
      if (index.column() == kName) return QString::fromStdString(name_of_key(item.key));
      if (index.column() == kValue) return QString::fromStdString(value.value);
      if (index.column() == kEvidence) return QString::fromStdString(value.evidence);
      return QString::fromStdString(value.origin);
    default:
      return {};
  }
}

QVariant ParameterTree::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  constexpr const char* names[] = {"Parameter", "Value", "Evidence", "From"};
  return section >= 0 && section < kColumns ? QString(names[section]) : QVariant();
}

Qt::ItemFlags ParameterTree::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (item_at(index).value >= 0 && index.column() == kValue) flags |= Qt::ItemIsEditable;
  return flags;
}

bool ParameterTree::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) return false;
  const ParameterValue& now = sheet_[static_cast<std::size_t>(item_at(index).value)];
  if (value.toString().toStdString() == now.value) return false;
  Q_EMIT edited(QString::fromStdString(now.pointer), value.toString());
  return true;
}

}  // namespace headrace::gui
