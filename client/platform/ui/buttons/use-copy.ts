import { useEffect, useState } from 'react';

/** How long 'Copied!' is shown. */
const COPIED_MS = 2000;

/** Returns a function that copies a text, and its outcome: 'copied' for a moment, 'failed' where the browser doesn't allow it. */
export function useCopy(text: string) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome !== 'copied') return;
    const timer = setTimeout(() => setOutcome(null), COPIED_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  async function copy(onFailed?: () => void): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      onFailed?.();
      setOutcome('failed');
    }
  }
  return { outcome, copy };
}
