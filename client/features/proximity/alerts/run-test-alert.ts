import type { SoundType } from '#shared/dogs/contract.ts';
import type { Settings } from '#shared/settings/document.ts';
import { unitsFor } from '../../settings/use-units.ts';
import { deviceOutputs, type AlertOutputs, type OwnSound } from '../output/alert-outputs.ts';
import { getNotificationState } from '../output/notifications.ts';
import { deviceClock } from '../tracking/tracker.ts';
import { AlertController } from './alert-controller.ts';
import type { ShownAlert } from './shown-alert.ts';
import type { OwnSide } from './verdict.ts';

export const TEST_DISTANCE_FEET = 50;

const DOG_NAMES: Record<SoundType, string> = { leash_on: 'Rex', leash_off: 'Bella' };

const VERDICTS: Record<SoundType, string> = { leash_on: 'needs space', leash_off: 'is friendly' };

export interface TestAlert {
  type: SoundType;
  /** The owner's settings with the radius and volume to test. */
  settings: Settings;
  ownSound: OwnSound;
  own: () => OwnSide;
  /** Gets a line about each thing that the device did. */
  onLine?: (line: string) => void;
  /** Called once for the sound and once for the voice, when they are over. */
  onPlayed?: (output: 'sound' | 'voice', isPlayed: boolean) => void;
  onChange: (shown: ShownAlert[]) => void;
}

/** Wraps outputs and logs what the device actually did, line by line. */
function logged(
  { settings, ownSound, onLine = () => {}, onPlayed = () => {} }: TestAlert,
  outputs: AlertOutputs,
): AlertOutputs {
  const off = (what: string) => onLine(`${what} off in your settings.`);
  return {
    ...outputs,
    play: async (type) => {
      if (!settings.sounds) {
        onPlayed('sound', false);
        return off('Not played: alert sounds are');
      }
      const sound = ownSound(type)
        ? 'your own sound'
        : type === 'leash_on'
          ? 'beep and deep bark'
          : 'friendly bark';
      const wasPlayed = await outputs.play(type);
      onLine(wasPlayed ? `Played: ${sound}` : `Not played, sound is blocked: ${sound}`);
      onPlayed('sound', Boolean(wasPlayed));
    },
    speak: async (type, text) => {
      if (!settings.speech) {
        onPlayed('voice', false);
        return off('Not spoken: speech is');
      }
      onLine(`Saying: ${text}`);
      const wasPlayed = await outputs.speak(type, text);
      onLine(wasPlayed ? 'Spoken.' : 'Not spoken: speech is blocked or missing.');
      onPlayed('voice', Boolean(wasPlayed));
    },
    vibrate: (pattern) => {
      if (!settings.vibration) return off('No vibration: it is');
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
 * Runs one alert about a dog 50 feet away, through the real alert controller.
 * @returns the controller; close it after the test
 */
export function testAlert(test: TestAlert): AlertController {
  const units = unitsFor(test.settings);
  const controller = new AlertController({
    outputs: logged(
      test,
      deviceOutputs(() => test.settings, test.ownSound),
    ),
    clock: deviceClock,
    radiusFeet: () => test.settings.alert_radius_feet,
    units: () => units,
    own: test.own,
    onChange: (alerts) => test.onChange(alerts.filter(({ isFolded }) => !isFolded)),
  });
  const name = DOG_NAMES[test.type];
  test.onLine?.(`${name} ${VERDICTS[test.type]}, ${units.near(TEST_DISTANCE_FEET)} away`);
  if (TEST_DISTANCE_FEET > test.settings.alert_radius_feet)
    test.onLine?.(
      `Beyond the alert radius of ${units.near(test.settings.alert_radius_feet)}: no alert.`,
    );
  controller.receiveEncounter({
    user_id: 'test',
    display_name: 'Test walker',
    distance_feet: TEST_DISTANCE_FEET,
    dogs: [{ name, sound_type: test.type, image_key: null }],
  });
  return controller;
}
