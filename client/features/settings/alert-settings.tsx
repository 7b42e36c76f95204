import { BellRing } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { RadiusField } from './radius-field.tsx';
import { SwitchRow } from './switch-row.tsx';
import { useSettings } from './use-settings.ts';
import { VolumeField } from './volume-field.tsx';

/** The radius, volume and outputs of alerts. @param outputs further switches */
export function AlertSettings({ outputs }: { outputs?: ReactNode }) {
  const { settings, save } = useSettings();
  // Only while dragging, because each saved step would stay in the account's history.
  const [moving, setMoving] = useState<number | null>(null);
  function settle() {
    if (moving === null) return;
    save({ volume: moving });
    setMoving(null);
  }
  return (
    <Card title="Alerts" id="alerts">
      <div className="flex flex-col gap-4">
        <RadiusField
          value={settings.alert_radius_feet}
          onChange={(alert_radius_feet) => save({ alert_radius_feet })}
          hint={(range) =>
            `${range.min} to ${range.max}, ${range.usual} by default. You won’t be alerted to dogs farther away. People within a wider radius can see you, too.`
          }
        />
        <VolumeField value={moving ?? settings.volume} onChange={setMoving} onSettled={settle} />
        <ul className="flex flex-col divide-y divide-line">
          <SwitchRow
            label="Alert sounds"
            more="A beep and a bark for dogs that need space, a bark for friendly ones."
            checked={settings.sounds}
            onChange={(sounds) => save({ sounds })}
          />
          <SwitchRow
            label="Speech"
            more="Says which dog, how far, and what to do."
            checked={settings.speech}
            onChange={(speech) => save({ speech })}
          />
          <SwitchRow
            label="Vibration"
            more={
              'vibrate' in navigator
                ? 'You’ll feel it in your pocket, with a different pattern for each type.'
                : 'Not available on this device; your other devices may support it.'
            }
            checked={settings.vibration}
            onChange={(vibration) => save({ vibration })}
          />
          {outputs}
          <SwitchRow
            label="Silence friends’ dogs"
            more="You’ll still see who’s nearby. A dog that needs space stays on your screen."
            checked={settings.silence_friends}
            onChange={(silence_friends) => save({ silence_friends })}
          />
          <SwitchRow
            label="Walk without my name"
            more="People nearby won’t see you. They’re only told, without a name, when your dog or theirs needs space. You’ll see them the same way."
            checked={settings.is_nameless}
            onChange={(is_nameless) => save({ is_nameless })}
          />
        </ul>
        {!settings.sounds && !settings.speech && (
          <p role="status" className="rounded-control bg-sunken p-3 text-sm font-bold">
            You won’t hear alerts. They’re still shown on this page.
          </p>
        )}
        <ButtonLink look="secondary" to="/home?open=test-alerts" Icon={BellRing}>
          Test Alerts
        </ButtonLink>
      </div>
    </Card>
  );
}
