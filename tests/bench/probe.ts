/** Preloaded into measured servers: reports their resource usage, and tracks the highest resident size. */
const SAMPLE_MS = 5
let peak = process.memoryUsage.rss()
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, SAMPLE_MS).unref()

process.on('message', (question) => {
  if (question !== 'usage' && question !== 'reset') return
  const rss = process.memoryUsage.rss()
  peak = question === 'reset' ? rss : Math.max(peak, rss)
  const { user, system } = process.cpuUsage()
  process.send?.({ type: 'usage', cpu_ms: (user + system) / 1000, rss, peak })
})
