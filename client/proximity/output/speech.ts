import type { SoundType } from '#shared/dogs/contract.ts';

/** How each type is spoken: slow and deep for a dog that needs space. */
const VOICE: Record<SoundType, { rate: number; pitch: number }> = {
  leash_on: { rate: 0.8, pitch: 0.6 },
  leash_off: { rate: 1.2, pitch: 1 },
};

/** `blocked`: the browser requires a gesture first. `missing`: no speech synthesis. */
export type SpeechOutcome = 'spoken' | 'blocked' | 'missing';

const STARTS_WITHIN_MS = 5000;
/** Keeps references: Chromium garbage-collects utterances, and then never fires `end`. */
const speaking = new Set<SpeechSynthesisUtterance>();

/**
 * Speaks, replacing current speech; resolves when it has ended for any reason. Some browsers never
 * report the end: then a timeout estimated from the text's length ends it.
 * @param volume 0 to 1
 */
export function speak(text: string, type: SoundType, volume: number): Promise<SpeechOutcome> {
  const synthesis = globalThis.speechSynthesis as SpeechSynthesis | undefined;
  if (!synthesis || typeof SpeechSynthesisUtterance === 'undefined')
    return Promise.resolve('missing');
  return new Promise((resolve) => {
    const utterance = new SpeechSynthesisUtterance(text);
    Object.assign(utterance, VOICE[type], { volume, lang: 'en-US' });
    let started = false;
    const over = (outcome: SpeechOutcome) => {
      clearTimeout(startGuard);
      clearTimeout(endGuard);
      speaking.delete(utterance);
      resolve(outcome);
    };
    const startGuard = setTimeout(() => {
      if (!started && !synthesis.speaking) over('missing');
    }, STARTS_WITHIN_MS);
    const endGuard = setTimeout(
      () => over(started ? 'spoken' : 'missing'),
      STARTS_WITHIN_MS + (text.length * 120) / VOICE[type].rate,
    );
    utterance.onstart = () => (started = true);
    utterance.onend = () => over('spoken');
    utterance.onerror = ({ error }) => {
      if (error === 'not-allowed') over('blocked');
      else over(error === 'canceled' || error === 'interrupted' ? 'spoken' : 'missing');
    };
    speaking.add(utterance);
    stopSpeech();
    synthesis.resume();
    synthesis.speak(utterance);
  });
}

/** Stops what is being spoken. */
export function stopSpeech(): void {
  const synthesis = globalThis.speechSynthesis as SpeechSynthesis | undefined;
  // Safari loses an utterance that follows a needless cancel.
  if (synthesis?.speaking || synthesis?.pending) synthesis.cancel();
}

/** iOS lets a page speak only after it has spoken during a gesture: speaks an empty text. */
export function unlockSpeech(): void {
  const synthesis = globalThis.speechSynthesis as SpeechSynthesis | undefined;
  if (!synthesis || synthesis.speaking || typeof SpeechSynthesisUtterance === 'undefined') return;
  const silence = new SpeechSynthesisUtterance('');
  silence.volume = 0;
  synthesis.speak(silence);
}
