/** A cell of one line, or two: the second in small. What does not fit is read by pointing at it. */
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
