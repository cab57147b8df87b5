/** A reason not to start that the operator can act on: printed without a stack. */
export class StartProblem extends Error {}
