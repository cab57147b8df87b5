/** Trusted Types, which TypeScript does not know: the content security policy allows this one policy. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(url: string): string }
}

/** The only script that may be named by its address. */
const SCRIPT = '/sw.js'

/** Has the browser keep the app, so that it opens without network; done once the page has nothing more urgent. */
export async function keepApp() {
  if (!('serviceWorker' in navigator)) return
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => SCRIPT })
  await navigator.serviceWorker.register(policy?.createScriptURL(SCRIPT) ?? SCRIPT).catch(() => {
    // Without it the app needs its network, as in a browser that has none.
  })
}
