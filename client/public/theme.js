// Runs before first paint and lives in its own file because the content policy allows no inline script.
;(() => {
  let theme = 'dark'
  try {
    theme = localStorage.getItem('theme') ?? 'dark'
  } catch {}
  document.documentElement.classList.toggle('bp6-dark', theme !== 'light')
})()
