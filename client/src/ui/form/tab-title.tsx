/** Title of a form tab, marked while one of its fields is invalid. */
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
