import { expect, type Page, type Request } from '@playwright/test'

/** Stops the page's clock, which `page.clock.install()` replaced before the page was loaded. */
export const stopClock = (page: Page) => page.clock.pauseAt(new Date(Date.now() + 60_000))

/** Lets so many seconds pass on the page's stopped clock, with every call answered in between. */
export async function passSeconds(page: Page, count: number) {
  // A set, because a request that began before the counting may still end during it.
  const unanswered = new Set<Request>()
  page.on('request', (request) => request.url().includes('/trpc/') && unanswered.add(request))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => unanswered.delete(request))
  for (let second = 1; second <= count; second++) {
    await page.clock.runFor(1_000)
    // The page knows of a request before the test does.
    const inPage = () => page.evaluate(() => (window as { unanswered?: number }).unanswered ?? 0)
    await expect.poll(async () => (await inPage()) + unanswered.size, { intervals: [20] }).toBe(0)
    // The interval starts when the page has processed the response, in a timer of its own; a request from
    // here completes after it.
    await page.evaluate(async () => void (await (await fetch('/theme.js')).text()))
    await page.clock.runFor(5)
  }
}

/**
 * Lets so many seconds pass on the page's stopped clock and expects each procedure to be called again at its
 * interval in ms, at least `times` times.
 */
export async function expectPolls(
  page: Page,
  intervals: Record<string, number>,
  { seconds, times }: { seconds: number; times: number },
) {
  // By the clock of the page: on a busy machine a request may reach the test a step later than it was made.
  await page.evaluate(() => {
    const requests: [string, number][] = []
    const { fetch } = window
    window.fetch = (input, init) => {
      requests.push([String(input instanceof Request ? input.url : input), Date.now()])
      counted.unanswered++
      return fetch(input, init).finally(() => counted.unanswered--)
    }
    const counted = Object.assign(window, { requests, unanswered: 0 })
  })
  await passSeconds(page, seconds)
  const requests = await page.evaluate(() => (window as unknown as { requests: [string, number][] }).requests)
  for (const [procedure, every] of Object.entries(intervals)) {
    const at = requests.filter(([url]) => url.includes(procedure)).map(([, time]) => time)
    const pauses = at.slice(1).map((time, n) => time - (at[n] ?? 0))
    expect(pauses.length).toBeGreaterThanOrEqual(times)
    // A response processed late on a busy machine lengthens an interval by one step at most.
    expect(pauses.filter((pause) => pause < every || pause > every + 1_100)).toEqual([])
    expect(Math.min(...pauses)).toBeLessThan(every + 100)
  }
}
