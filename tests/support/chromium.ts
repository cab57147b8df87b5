/** Arguments of every Chromium that runs tests. */
export const CHROMIUM_ARGS = [
  // A page of a test lives for seconds: optimising its code, and collecting its garbage in threads, takes longer
  // than it saves (a sixth of the processor time of the audits).
  '--js-flags=--no-turbofan --no-maglev --single-threaded-gc',
  // Nothing is drawn by a GPU, and its process takes a tenth of the processor time of opening a page.
  '--in-process-gpu',
]
