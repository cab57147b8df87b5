import './filter.css'

/** Text of a filter without a choice: where filters stand close together, only what it filters. */
export const FilterText = ({ label, all }: { label: string; all: string }) => (
  <>
    <span className="filter-all">{all}</span>
    <span className="filter-label">{label}</span>
  </>
)
