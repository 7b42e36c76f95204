import { useEffect, useRef, useState } from 'react';
import type { SoundType } from '#shared/dogs/contract.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { LeashChoice } from '../../../platform/ui/inputs/leash-choice.tsx';
import { Summary } from '../../../platform/ui/layout/summary.tsx';
import { RadiusField } from '../../settings/radius-field.tsx';
import { useSettings } from '../../settings/use-settings.ts';
import { useUnits } from '../../settings/use-units.ts';
import { VolumeField } from '../../settings/volume-field.tsx';
import { speakSoundType } from '../../sounds/audio.ts';
import { useSoundLibrary } from '../../sounds/use-sounds.ts';
import type { AlertController } from '../alerts/alert-controller.ts';
import { TEST_DISTANCE_FEET, testAlert } from '../alerts/run-test-alert.ts';
import type { ShownAlert } from '../alerts/shown-alert.ts';
import { ownSide } from '../alerts/verdict.ts';
import { useDogsAlong } from '../use-dogs-along.ts';
import { useAudioAvailability, useNotifications } from '../use-proximity.ts';
import { AlertCard } from './alert-card.tsx';

const LOG_LINES = 10;
const AVAILABILITY = {
  on: 'works',
  blocked: 'blocked until you tap',
  missing: 'not on this device',
};
const NOTIFICATIONS = {
  granted: 'work',
  default: 'not allowed yet',
  denied: 'blocked in your browser’s settings',
  missing: 'not on this device',
};

/** Runs a real alert about a simulated dog, and lists which outputs work on this device. */
export default function AlertTester() {
  const [type, setType] = useState<SoundType>('leash_on');
  const { settings } = useSettings();
  const units = useUnits();
  const { along } = useDogsAlong();
  const sounds = useSoundLibrary();
  const [radius, setRadius] = useState<number | null>(null);
  const [pickedVolume, setVolume] = useState<number | null>(null);
  const volume = pickedVolume ?? settings.volume;
  const [log, setLog] = useState<string[]>([]);
  const [alert, setAlert] = useState<ShownAlert | null>(null);
  const running = useRef<AlertController | null>(null);
  const { audio, speech } = useAudioAvailability();
  const notifications = useNotifications();

  useEffect(() => () => running.current?.close(), []);

  function run() {
    running.current?.close();
    setLog([]);
    running.current = testAlert({
      type,
      settings: {
        ...settings,
        volume,
        alert_radius_feet: radius ?? settings.alert_radius_feet,
      },
      ownSound: (played) => sounds?.bytesOf(played) ?? null,
      own: () => ({ ...ownSide(along), leashPlace: null }),
      onLine: (line) => setLog((lines) => [...lines, line].slice(-LOG_LINES)),
      onChange: ([shown]) => setAlert(shown ?? null),
    });
  }

  return (
    <div className="flex flex-col gap-4">
      <LeashChoice
        legend="Dog type"
        value={type}
        onPick={(picked) => {
          setType(picked);
          void speakSoundType(picked);
        }}
      />
      <Button wide onClick={run}>
        Test alert
      </Button>
      {alert && (
        <div className="overflow-hidden rounded-control">
          <AlertCard alert={alert} isTest />
        </div>
      )}
      <div className="flex flex-col gap-1.5">
        <h3 className="font-bold">What happened</h3>
        <div
          role="log"
          aria-label="What happened"
          className="min-h-12 rounded-control bg-sunken p-3 text-sm break-words"
        >
          <ol>
            {log.length === 0 && <li className="text-soft">Nothing yet.</li>}
            {log.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ol>
        </div>
      </div>
      <dl className="flex flex-col gap-1 text-sm">
        {[
          ['Alert sounds', AVAILABILITY[audio]],
          ['Speech', AVAILABILITY[speech]],
          ['Vibration', 'vibrate' in navigator ? 'works' : 'not on this device'],
          ['Notifications', NOTIFICATIONS[notifications.state]],
        ].map(([name, state]) => (
          // Wraps with large text.
          <div key={name} className="flex flex-wrap gap-x-4">
            <dt className="shrink-0 basis-28 font-bold">{name}</dt>
            <dd className="min-w-0 flex-1 basis-32 break-words">{state}</dd>
          </div>
        ))}
      </dl>
      {notifications.state === 'default' && (
        <Button look="secondary" wide onClick={() => void notifications.ask()}>
          Allow notifications
        </Button>
      )}
      <details className="border-t border-line">
        <Summary>Try another radius or volume</Summary>
        <div className="flex flex-col gap-4 pb-1">
          <p className="text-sm text-soft">
            For this test only. Those of real warnings are in Settings.
          </p>
          <RadiusField
            value={radius ?? settings.alert_radius_feet}
            onChange={setRadius}
            hint={(range) =>
              `${range.min} to ${range.max}. The test dog is ${units.near(TEST_DISTANCE_FEET)} away.`
            }
          />
          <VolumeField value={volume} onChange={setVolume} />
        </div>
      </details>
    </div>
  );
}
