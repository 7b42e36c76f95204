import { alertsCell } from '../features/alerts/alerts-cell.ts';
import { isPushOn } from '../features/push/push-device.ts';
import { askEarly } from '../platform/http/early-answers.ts';
import { isLogoutPending, rememberedUser } from '../platform/session/remembered-user.ts';
import { startPath } from './start-path.ts';

/** Asks in one call for what the first screen of a member needs. What it leaves out, the screen asks for itself. */
export function askAtStart(): void {
  const user = rememberedUser();
  if (!user?.has_access || isLogoutPending()) return;
  const isHome = location.pathname === '/home';
  askEarly(...startPath({ isHome, isPushOn: isPushOn(user.id), alertsCell: alertsCell(user.id) }));
}
