/** The name of a tab of a form, marked while one of its fields is wrong. */
export const TabTitle = ({ title, hasError }: { title: string; hasError: boolean }) => (
  <>
    {title}
    {hasError && (
      <span className="tab-error">
        <span className="visually-hidden">, com erro</span>
      </span>
    )}
  </>
)
