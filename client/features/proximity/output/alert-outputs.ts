import type { SoundType } from '#shared/dogs/contract.ts';
import type { Settings } from '#shared/settings/document.ts';
import { vibrate } from '../../../platform/vibration.ts';
import { playSoundType, speakAs, stopSound, stopSpeech } from '../../sounds/audio.ts';
import { notify, type Notice } from './notifications.ts';

/** Outputs of an alert. An unavailable output resolves at once and never throws. */
export interface AlertOutputs {
  /** Plays the alert sound; resolves when it has ended or was stopped. */
  play: (type: SoundType) => Promise<unknown>;
  /** Resolves when speech has ended or was stopped. */
  speak: (type: SoundType, text: string) => Promise<unknown>;
  stopSound: () => void;
  stopSpeech: () => void;
  /** @param pattern milliseconds on, off, on … */
  vibrate: (pattern: readonly number[]) => void;
  /** @returns how to close the notification */
  notify: (notice: Notice) => () => void;
}

/** Returns the owner's own recording for a type as file bytes; null for the default sound. */
export type OwnSound = (type: SoundType) => ArrayBuffer | null;

/** Returns outputs that do nothing while a condition holds. */
export const outputsUnless = (isMuted: () => boolean, outputs: AlertOutputs): AlertOutputs => ({
  play: async (type) => !isMuted() && outputs.play(type),
  speak: async (type, text) => !isMuted() && outputs.speak(type, text),
  stopSound: outputs.stopSound,
  stopSpeech: outputs.stopSpeech,
  vibrate: (pattern) => {
    if (!isMuted()) outputs.vibrate(pattern);
  },
  notify: (notice) => (isMuted() ? () => {} : outputs.notify(notice)),
});

/** Creates this device's outputs, which follow the owner's current settings. */
export function deviceOutputs(settings: () => Settings, ownSound: OwnSound): AlertOutputs {
  return {
    play: async (type) => {
      const { sounds, volume } = settings();
      return sounds && playSoundType(type, volume, ownSound(type));
    },
    speak: async (type, text) => {
      const { speech, volume } = settings();
      return speech && speakAs(type, text, volume);
    },
    stopSound,
    stopSpeech,
    vibrate: (pattern) => {
      if (settings().vibration) vibrate(pattern);
    },
    notify,
  };
}
