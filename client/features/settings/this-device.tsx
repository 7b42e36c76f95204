import { HardDrive } from 'lucide-react';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import {
  allowErrorReports,
  areErrorsReported,
  onErrorReports,
} from '../../platform/client-errors/error-reports.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { useHere } from '../profile/use-here.ts';
import { StateRow } from './state-row.tsx';
import { SwitchRow } from './switch-row.tsx';

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

/** Settings of this device: location for the weather, storage, and error reports. */
export function ThisDevice() {
  const { stored, keep } = useStoredData();
  const { isAllowed, isAllowedAlone, allow } = useHere();
  const areReported = useSyncExternalStore(onErrorReports, areErrorsReported);
  return (
    <Card title="This device" id="this-device">
      <ul className="flex flex-col divide-y divide-line">
        <SwitchRow
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
        <StateRow
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
        </StateRow>
        <SwitchRow
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
