/** A reason not to start that the person at the terminal can act on: shown as it is, without a stack. */
export class StartProblem extends Error {}
