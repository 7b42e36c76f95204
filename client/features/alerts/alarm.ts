import { runningContext } from '../sounds/audio.ts';

/** Two tones in turn, unlike any bark. */
const HERTZ = [880, 660] as const;
const TONE_SECONDS = 0.28;
const ROUNDS = 3;

/** Plays the alarm of a severe alert, if the browser allows it. @param volume 0 to 1 */
export async function soundAlarm(volume: number): Promise<void> {
  const context = await runningContext();
  if (!context) return;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  const start = context.currentTime;
  for (let tone = 0; tone < HERTZ.length * ROUNDS; tone += 1)
    oscillator.frequency.setValueAtTime(
      HERTZ[tone % HERTZ.length] as number,
      start + tone * TONE_SECONDS,
    );
  const end = start + HERTZ.length * ROUNDS * TONE_SECONDS;
  oscillator.type = 'triangle';
  gain.gain.setValueAtTime(volume, start);
  gain.gain.setValueAtTime(volume, end - 0.02);
  gain.gain.linearRampToValueAtTime(0, end);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(end);
}
