import { alertsCell } from '../features/alerts/alerts-cell.ts';
import { isPushOn } from '../features/push/push-device.ts';
import { askEarly } from '../platform/http/early-answers.ts';
import { isPositionGranted } from '../platform/position/find-position.ts';
import { isLogoutPending, rememberedUser } from '../platform/session/remembered-user.ts';
import { startPath } from './start-path.ts';

/** Asks in one call for what the first screen of a member needs. What it leaves out, the screen asks for itself. */
export function askAtStart(): void {
  const user = rememberedUser();
  if (!user?.has_access || isLogoutPending()) return;
  const of = { isHome: location.pathname === '/home', isPushOn: isPushOn(user.id) };
  const cell = alertsCell(user.id);
  const [start, calls] = startPath({ ...of, alertsCell: cell });
  // The permission may have been withdrawn while the app was closed.
  const allowed =
    cell &&
    isPositionGranted().then((isGranted) =>
      isGranted ? start : startPath({ ...of, alertsCell: null })[0],
    );
  askEarly(allowed ?? start, calls);
}
