/**
 * What `work` comes to, or `late` thrown when that takes longer than `ms`.
 * @template T
 * @param {number} ms
 * @param {Promise<T>} work
 * @param {Error} late
 * @returns {Promise<T>}
 */
export async function within(ms, work, late) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const deadline = new Promise((_, reject) => (timer = setTimeout(() => reject(late), ms)));
  try {
    return await Promise.race([work, /** @type {Promise<never>} */ (deadline)]);
  } finally {
    clearTimeout(timer);
  }
}
