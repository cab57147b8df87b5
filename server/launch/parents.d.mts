export function onParentExit(env: NodeJS.ProcessEnv, callback: () => void): void
