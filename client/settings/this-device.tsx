import { BellRing, HardDrive } from 'lucide-react';
import { useCallback, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import {
  allowErrorReports,
  areErrorsReported,
  onErrorReports,
} from '../client-errors/error-reports.ts';
import type { NotificationState } from '../proximity/output/notifications.ts';
import { useNotifications } from '../proximity/use-proximity.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useHere } from '../weather/use-location-consent.ts';
import { Choice } from './switch-row.tsx';

const NOTIFICATIONS: Record<NotificationState, string> = {
  granted: 'Allowed. Warnings reach you in other apps too, as long as this one is open.',
  default: 'Not allowed yet. Your browser will ask.',
  denied: 'Blocked. Only your browser’s settings for this site can allow them again.',
  missing: 'Not supported by this browser.',
};

interface StoredData {
  /** Bytes; null if unknown. */
  usage: number | null;
  isPersisted: boolean;
}

async function measure(): Promise<StoredData> {
  const [estimate, isPersisted] = await Promise.all([
    navigator.storage?.estimate?.().catch(() => null),
    navigator.storage?.persisted?.().catch(() => false),
  ]);
  return { usage: estimate?.usage ?? null, isPersisted: isPersisted ?? false };
}

function useStoredData() {
  const [stored, setStored] = useState<StoredData | null>(null);
  const look = useCallback(() => void measure().then(setStored), []);
  useEffect(look, [look]);
  const keep = async () => {
    await navigator.storage?.persist?.().catch(() => false);
    look();
  };
  return { stored, keep };
}

function Row({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="font-bold">{title}</h3>
        <p className="text-sm text-soft" role="status">
          {children}
        </p>
      </div>
      {action}
    </li>
  );
}

/** Settings of this device: notifications, location for the weather, storage, and theme. */
export function ThisDevice() {
  const { state, ask } = useNotifications();
  const { stored, keep } = useStoredData();
  const { isAllowed, isAllowedAlone, allow } = useHere();
  const areReported = useSyncExternalStore(onErrorReports, areErrorsReported);
  return (
    <Card title="This device">
      <ul className="flex flex-col divide-y divide-line">
        <Row
          title="Notifications"
          action={
            state === 'default' && (
              <Button look="secondary" onClick={() => void ask()} Icon={BellRing}>
                Allow notifications
              </Button>
            )
          }
        >
          {NOTIFICATIONS[state]}
        </Row>
        <Choice
          label="Weather here"
          more={
            isAllowedAlone
              ? 'Your dashboard shows weather and emergency alerts for this device’s location.'
              : isAllowed
                ? 'Shown on your dashboard only while you share your location.'
                : 'Off. We don’t use this device’s location for weather or emergency alerts.'
          }
          checked={isAllowedAlone}
          onChange={allow}
        />
        <Row
          title="Stored data"
          action={
            stored &&
            !stored.isPersisted && (
              <Button look="secondary" onClick={() => void keep()} Icon={HardDrive}>
                Keep data
              </Button>
            )
          }
        >
          {stored ? storedWords(stored) : 'Measuring…'}
        </Row>
        <Choice
          label="Error reports"
          more="If the app fails, it tells us the kind of error and where in our code it happened. Never your texts, names or location."
          checked={areReported}
          onChange={allowErrorReports}
        />
      </ul>
    </Card>
  );
}

function storedWords({ usage, isPersisted }: StoredData): string {
  const amount = usage === null ? 'Your browser doesn’t report how much.' : bytesInWords(usage);
  return isPersisted
    ? `${amount} Stored until you log out.`
    : `${amount} Your browser may remove it when it runs low on space.`;
}

const MEGABYTE = 1024 * 1024;

/** Formats a storage size, such as 'About 4.2 MB on this device.' */
function bytesInWords(bytes: number): string {
  if (bytes < MEGABYTE / 10) return 'Less than 0.1 MB on this device.';
  const megabytes = bytes / MEGABYTE;
  return `About ${megabytes < 10 ? megabytes.toFixed(1) : Math.round(megabytes)} MB on this device.`;
}
