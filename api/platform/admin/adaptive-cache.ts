/** Results that took this long are cached for this many times as long. */
const SLOW_MS = 500;
const TIMES = 20;

/**
 * Caches slow results, such as totals over a whole collection, for twenty times as long as they took, so that they use
 * a twentieth of the database’s time at most. Concurrent callers share one call.
 */
export function cacheSlowResult<Answer>(find: () => Promise<Answer>): () => Promise<Answer> {
  let until = 0;
  let answer: Promise<Answer> | null = null;

  async function look(): Promise<Answer> {
    const begun = performance.now();
    try {
      return await find();
    } catch (error) {
      answer = null;
      throw error;
    } finally {
      const now = performance.now();
      until = now - begun < SLOW_MS ? now : now + (now - begun) * TIMES;
    }
  }

  return () => {
    if (answer && performance.now() < until) return answer;
    until = Infinity;
    answer = look();
    return answer;
  };
}
