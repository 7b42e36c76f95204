import { BellRing } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { subscribeToPush, unsubscribeFromPush } from '#shared/push/contract.ts';
import type { PushSettings as Choices } from '#shared/push/document.ts';
import { deviceTimeZone } from '#shared/push/quiet-hours.ts';
import { messageOf } from '../../platform/http/error-message.ts';
import { HomeScreenSteps } from '../../platform/install/home-screen-steps.tsx';
import { PRODUCT } from '../../platform/product.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { optionsOf, SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { Summary } from '../../platform/ui/layout/summary.tsx';
import type { NotificationState } from '../proximity/output/notifications.ts';
import { useNotifications } from '../proximity/use-proximity.ts';
import { StateRow } from '../settings/state-row.tsx';
import { SwitchRow } from '../settings/switch-row.tsx';
import {
  getPushState,
  onPushStateChange,
  turnPushOff,
  turnPushOn,
  type PushState,
} from './push-device.ts';
import { usePushSettings } from './use-push-settings.ts';

const STATES_OPEN: Record<NotificationState, string> = {
  granted: 'Allowed. Warnings reach you in other apps too, as long as this one is open.',
  default: 'Not allowed yet. Your browser will ask.',
  denied: 'Blocked. Allow notifications for this site in your browser’s settings, then come back.',
  missing: 'Not supported by this browser.',
};

const STATES_CLOSED: Record<PushState, string> = {
  on: 'On. They reach this device even when the app is closed.',
  off: `Off. ${PRODUCT} can’t reach this device when it’s closed.`,
  denied: 'Blocked, too.',
  unsupported: 'This browser can’t receive notifications when the app is closed.',
  'needs-install': `On iPhone and iPad, ${PRODUCT} must be on your home screen first.`,
};

type Switch = {
  [K in keyof Choices]: Choices[K] extends boolean ? K : never;
}[keyof Choices];

const KINDS: { key: Switch; label: string; more: string }[] = [
  {
    key: 'push_walk',
    label: 'Unprotected walks',
    more: 'When your phone stops sharing its location during a walk.',
  },
  {
    key: 'push_alerts',
    label: 'Severe alerts',
    more: 'Dangerous weather and emergencies where you’re walking.',
  },
  {
    key: 'push_hazards',
    label: 'Hazards and lost dogs',
    more: 'Reports from members near you while you’re walking.',
  },
  {
    key: 'push_planned_walks',
    label: 'Planned walks',
    more: 'Invitations, changes, answers, and a reminder before a walk.',
  },
  { key: 'push_messages', label: 'Messages', more: 'From your friends.' },
  {
    key: 'push_friends',
    label: 'Friend requests',
    more: 'New requests, and when someone accepts yours.',
  },
  {
    key: 'push_moderation',
    label: 'Decisions',
    more: 'When a moderator decides something about you.',
  },
];

const PREVIEW_NAMES = optionsOf<Choices['push_preview']>({
  text: 'Names and messages',
  name: 'Names only',
  nothing: 'No names, no messages',
});

const timeOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** Minutes since midnight; null if the text is no time. */
function minutesOf(time: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(time) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** Notifications of this device while the app is open and closed, and the owner's choices for all devices. */
export function PushSettings() {
  const userId = useUser()?.id ?? '';
  const state = useSyncExternalStore(onPushStateChange, () => getPushState(userId));
  const { state: openState, ask } = useNotifications();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState('');
  const canReceive = state === 'on' || state === 'off';

  async function turn(isOn: boolean) {
    setPending(true);
    setProblem('');
    await (isOn ? turnPushOn(userId) : turnPushOff(userId)).catch((error: unknown) =>
      setProblem(messageOf(error, isOn ? subscribeToPush.failure : unsubscribeFromPush.failure)),
    );
    setPending(false);
  }

  return (
    <Card title="Notifications" id="notifications">
      <div className="flex flex-col gap-4">
        <ul className="flex flex-col divide-y divide-line">
          <StateRow
            title="While the app is open"
            action={
              openState === 'default' && (
                <Button look="secondary" onClick={() => void ask()} Icon={BellRing}>
                  Allow notifications
                </Button>
              )
            }
          >
            {STATES_OPEN[openState]}
          </StateRow>
          <StateRow
            title="While it’s closed"
            action={
              canReceive && (
                <Button
                  look={state === 'on' ? 'secondary' : 'primary'}
                  disabled={isPending}
                  onClick={() => void turn(state === 'off')}
                  Icon={state === 'on' ? undefined : BellRing}
                >
                  {state === 'on' ? 'Turn off here' : 'Turn on here'}
                </Button>
              )
            }
          >
            {STATES_CLOSED[state]}
          </StateRow>
        </ul>
        {state === 'needs-install' && <HomeScreenSteps />}
        {problem && <ErrorBanner>{problem}</ErrorBanner>}
        {/* Without notifications here, the switches are about other devices. */}
        {state === 'on' ? (
          <div>
            <h3 className="font-bold">On all your devices</h3>
            <OwnerChoices />
          </div>
        ) : (
          <details>
            <Summary chevron="end" className="font-bold text-accent">
              Choose for all your devices
            </Summary>
            <OwnerChoices />
          </details>
        )}
      </div>
    </Card>
  );
}

/** The choices that apply to all devices of the owner. */
function OwnerChoices() {
  const { settings, save } = usePushSettings();
  if (!settings) return null;
  const saveTime = (key: 'push_quiet_from' | 'push_quiet_to', time: string) => {
    const minutes = minutesOf(time);
    if (minutes !== null) save({ [key]: minutes });
  };
  return (
    <div className="flex flex-col gap-4">
      <ul className="flex flex-col divide-y divide-line">
        {KINDS.map(({ key, label, more }) => (
          <SwitchRow
            key={key}
            label={label}
            more={more}
            checked={settings[key]}
            onChange={(isOn) => save({ [key]: isOn })}
          />
        ))}
      </ul>
      <SelectField
        label="On your lock screen"
        options={PREVIEW_NAMES}
        value={settings.push_preview}
        onChange={({ target }) => save({ push_preview: target.value as Choices['push_preview'] })}
        hint="What others may read in messages and friend requests."
      />
      <ul className="flex flex-col divide-y divide-line">
        <SwitchRow
          label="Quiet hours"
          more="Messages and requests wait until they end."
          checked={settings.push_quiet}
          onChange={(push_quiet) => save({ push_quiet, push_time_zone: deviceTimeZone() })}
        />
        {settings.push_quiet && (
          <>
            <li className="flex flex-wrap gap-3 py-3">
              <TimeField
                label="From"
                value={settings.push_quiet_from}
                onChange={(time) => saveTime('push_quiet_from', time)}
              />
              <TimeField
                label="To"
                value={settings.push_quiet_to}
                onChange={(time) => saveTime('push_quiet_to', time)}
              />
              <p className="basis-full text-sm text-soft">
                {settings.push_quiet_from === settings.push_quiet_to
                  ? 'Choose two different times.'
                  : `Time zone: ${settings.push_time_zone.replaceAll('_', ' ')}.`}
              </p>
            </li>
            <SwitchRow
              label="Safety alerts anytime"
              more="Severe alerts and unprotected walks also come during quiet hours."
              checked={settings.push_urgent_always}
              onChange={(push_urgent_always) => save({ push_urgent_always })}
            />
          </>
        )}
      </ul>
    </div>
  );
}

function TimeField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number;
  onChange: (time: string) => void;
}) {
  return (
    <div className="flex-1 basis-28">
      <Field
        label={label}
        type="time"
        // Only complete times are saved, and the input stays as it is while one is typed.
        key={value}
        defaultValue={timeOf(value)}
        onBlur={({ target }) => onChange(target.value)}
        required
      />
    </div>
  );
}
