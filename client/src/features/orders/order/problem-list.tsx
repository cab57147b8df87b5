import './problem-list.css'

/** The problems with which an order would be completed. */
export const ProblemList = ({ problems }: { problems: readonly string[] }) => (
  <ul className="problem-list">
    {problems.map((problem) => (
      <li key={problem}>{problem}</li>
    ))}
  </ul>
)
