// The parameters as a tree for a view: sections of the scenario, elements of lists, values with their origin.
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <string>
#include <vector>

#include "gui/presenter/parameter_sheet.hpp"

namespace headrace::gui {

class ParameterTree : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { kName, kValue, kEvidence, kOrigin, kColumns };
  static constexpr int kPointerRole = Qt::UserRole;       ///< JSON pointer; empty for a section
  static constexpr int kPathRole = Qt::UserRole + 1;      ///< JSON pointer of a section, too
  static constexpr int kEvidenceRole = Qt::UserRole + 2;  ///< "measured"; empty for a section

  explicit ParameterTree(QObject* parent = nullptr);
  ~ParameterTree() override;

  /// Values of the same shape replace the shown ones in place; another shape rebuilds the tree.
  void show(std::vector<ParameterValue> sheet);
  const ParameterValue* find(const std::string& pointer) const;
  const std::vector<ParameterValue>& sheet() const { return sheet_; }
  QModelIndex index_of(const std::string& pointer) const;

  QModelIndex index(int row, int column, const QModelIndex& parent) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent) const override;
  int columnCount(const QModelIndex& parent) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 Q_SIGNALS:
  /// The user typed a value; the tree shows it once the document holds it.
  void edited(const QString& pointer, const QString& value);

 private:
  struct Item;
  const Item& item_at(const QModelIndex& index) const;
  void build();
  std::string name_in(const Item& section) const;

  std::vector<ParameterValue> sheet_;
  std::unique_ptr<Item> root_;
};

}  // namespace headrace::gui
