import type { SoundType } from '#shared/dogs/contract.ts';
import { RADIUS_FEET } from '#shared/proximity/rules.ts';
import { AlertController, type AlertOutputs, type ShownAlert } from './alerts.ts';
import { deviceClock } from './clock.ts';
import { getNotificationState } from './notifications.ts';
import { deviceOutputs } from './outputs.ts';

export const TEST_DISTANCE_FEET = 50;
export const RADIUS_MIN = 10;
export const RADIUS_MAX = 500;

/** The radius that an owner typed, in feet, within its bounds; the usual one when it is no number. */
export function radiusOf(typed: string): number {
  const radius = typed.trim() === '' ? NaN : Number(typed);
  if (!Number.isFinite(radius)) return RADIUS_FEET;
  return Math.min(RADIUS_MAX, Math.max(RADIUS_MIN, radius));
}

const DOG_NAMES: Record<SoundType, string> = { leash_on: 'Rex', leash_off: 'Bella' };

/** What the device really did, told line by line. */
function told(outputs: AlertOutputs, onLine: (line: string) => void): AlertOutputs {
  return {
    ...outputs,
    play: async (type) => {
      const sound = type === 'leash_on' ? 'beep and deep bark' : 'friendly bark';
      const isHeard = await outputs.play(type);
      onLine(isHeard ? `Played: ${sound}` : `Not played, sound is blocked: ${sound}`);
    },
    speak: async (type, text) => {
      onLine(`Saying: ${text}`);
      const isHeard = await outputs.speak(type, text);
      onLine(isHeard ? 'Spoken.' : 'Not spoken: speech is blocked or missing.');
    },
    vibrate: (pattern) => {
      outputs.vibrate(pattern);
      onLine(`Vibration: ${pattern.join(', ')} ms`);
    },
    notify: (notice) => {
      onLine(
        getNotificationState() === 'granted'
          ? `Notification: ${notice.title}`
          : 'Notification skipped: not allowed.',
      );
      return outputs.notify(notice);
    },
  };
}

/**
 * Gives one alert, through the controller that gives the real ones, about a dog 50 feet away.
 * @returns the controller; close it when the test is over
 */
export function testAlert(test: {
  type: SoundType;
  radiusFeet: number;
  volume: number;
  onLine: (line: string) => void;
  onChange: (shown: ShownAlert[]) => void;
}): AlertController {
  const controller = new AlertController({
    outputs: told(deviceOutputs(test.volume), test.onLine),
    clock: deviceClock,
    radiusFeet: test.radiusFeet,
    onChange: test.onChange,
  });
  const name = DOG_NAMES[test.type];
  test.onLine(`${name}, ${test.type}, ${TEST_DISTANCE_FEET} feet away`);
  if (TEST_DISTANCE_FEET > test.radiusFeet)
    test.onLine(`Beyond the alert radius of ${test.radiusFeet} feet: no alert.`);
  controller.hearEncounter({
    user_id: 'test',
    display_name: 'Test walker',
    distance_feet: TEST_DISTANCE_FEET,
    dogs: [{ name, sound_type: test.type, image_key: null }],
  });
  return controller;
}
