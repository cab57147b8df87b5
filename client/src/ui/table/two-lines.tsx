/** A cell of one or two lines, the second in small type. Truncated text is shown as a tooltip. */
export const TwoLines = ({ first, second }: { first: string | null; second?: string | null }) => (
  <>
    <span className="clip" title={first ?? undefined}>
      {first ?? '—'}
    </span>
    {second && (
      <span className="cell-second" title={second}>
        {second}
      </span>
    )}
  </>
)
