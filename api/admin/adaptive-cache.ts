/** What took so long is given again for so many times as long. */
const SLOW_MS = 500;
const TIMES = 20;

/**
 * Figures over a whole collection, which take a second where there are a million rows: those that were slow to find may
 * be twenty times as old as that took, so that they keep the database busy for a twentieth of the time at most. Whoever
 * asks while they are being found waits for the same answer.
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
