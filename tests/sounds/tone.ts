import { writeWav, type Recording } from '#shared/sounds/wav.ts';

/** A sine tone, clearly different from silence. */
export function tone(seconds: number, overrides: Partial<Recording> = {}): Recording {
  const rate = overrides.rate ?? 8_000;
  const channels = overrides.channels ?? 1;
  const samples = Int16Array.from({ length: Math.round(seconds * rate) * channels }, (_, i) =>
    Math.round(Math.sin(i / 5) * 12_000),
  );
  return { channels, rate, samples, ...overrides };
}

export const toneFile = (seconds: number, overrides: Partial<Recording> = {}): Blob =>
  new Blob([writeWav(tone(seconds, overrides))], { type: 'audio/wav' });
