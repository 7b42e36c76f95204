import { listShownAds } from '#shared/ads/contract.ts';
import { listAlerts } from '#shared/alerts/contract.ts';
import { listWarnings } from '#shared/moderation/contract.ts';
import { listPlannedWalks } from '#shared/planned-walks/contract.ts';
import { getPushKey, listActivity } from '#shared/push/contract.ts';
import { me } from '#shared/session/contract.ts';
import { start } from '#shared/start/contract.ts';
import type { Cell } from '../features/alerts/alerts-cell.ts';
import { pathOf } from '../platform/http/api-client.ts';

/** Returns the path of `start` for a screen, and those of the calls that it answers. */
export function startPath(of: {
  isHome: boolean;
  isPushOn: boolean;
  alertsCell: Cell | null;
}): [start: string, calls: string[]] {
  const calls = [
    ...[me, listWarnings, listActivity, listPlannedWalks].map((each) => pathOf(each)),
    ...(of.isPushOn ? [pathOf(getPushKey)] : []),
    ...(of.isHome ? [pathOf(listShownAds, {}, { placement: 'banner' })] : []),
    // Last, because it may be left out.
    ...(of.alertsCell ? [pathOf(listAlerts, {}, of.alertsCell)] : []),
  ];
  return [pathOf(start, {}, { calls: calls.join(' ') }), calls];
}
