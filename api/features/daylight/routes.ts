import { readDaylight } from '#shared/daylight/contract.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';

const [MORNING, EVENING] = [6, 20];

/** Whether it is day. */
export function mountDaylight(api: Api): void {
  serve(api, readDaylight, async () => {
    const hour = new Date().getUTCHours();
    return { is_day: hour >= MORNING && hour < EVENING };
  });
}
