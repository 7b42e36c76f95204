import { useContext, useEffect, useRef } from 'react';
import { isQuiet, type QuietPlace } from '#shared/settings/rules.ts';
import { serverTime } from '../../platform/server-clock.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useDocument } from '../../platform/sync/documents/use-document.ts';
import { ProximityContext } from '../proximity/proximity-provider.tsx';
import { useDogsAlong } from '../proximity/use-dogs-along.ts';
import { useWalking } from '../proximity/use-walking.ts';
import { clearWalkPause, noteWalkPause } from '../proximity/walk-pause.ts';
import { useSettings } from '../settings/use-settings.ts';
import { useWalkHistory } from './use-walks.ts';
import { WalkRecorder } from './walk-recorder.ts';

/** Records walks while mounted and while the owner walks with this device. Shows nothing. */
export function WalkRecording() {
  const tab = useContext(ProximityContext);
  const history = useWalkHistory();
  const { status } = useDocument('account');
  const { isWalking } = useWalking();
  const userId = useUser()?.id ?? '';

  const { quietPlaces } = useSettings();
  const { along } = useDogsAlong();
  const own = useRef<{ quietPlaces: readonly QuietPlace[] | null; dogs: string[] }>({
    quietPlaces: null,
    dogs: [],
  });
  useEffect(() => {
    own.current = { quietPlaces: quietPlaces ?? null, dogs: along.map(({ name }) => name) };
  }, [quietPlaces, along]);

  useEffect(() => history?.followTabs(), [history]);
  useEffect(() => {
    if (!tab || !history || !isWalking) return undefined;
    const recorder = new WalkRecorder(history, {
      // Before they are known, nothing is stored of where a walk went.
      isQuiet: (fix) => own.current.quietPlaces === null || isQuiet(fix, own.current.quietPlaces),
      dogs: () => own.current.dogs,
    });
    const stopFixes = tab.onFix((fix) => recorder.fix(fix));
    const stopNearby = tab.subscribe(() => {
      const { leads, status: tracking, nearby } = tab.getState();
      if (!leads || tracking !== 'active' || !nearby) return;
      recorder.nearby(nearby, Date.now());
    });
    const flush = () => void history.flush();
    document.addEventListener('visibilitychange', flush);
    return () => {
      stopFixes();
      stopNearby();
      document.removeEventListener('visibilitychange', flush);
    };
  }, [tab, history, isWalking]);
  useEffect(() => {
    if (!tab || status !== 'ready') return undefined;
    const note = () => {
      const at = serverTime(userId, Date.now());
      const tracking = tab.getState().status;
      if (!isWalking) return void noteWalkPause({ reason: 'ended', at });
      if (tracking === 'quiet') return void noteWalkPause({ reason: 'quiet', at });
      if (tracking === 'active') void clearWalkPause();
    };
    note();
    return tab.subscribe(note);
  }, [tab, userId, status, isWalking]);
  // Also when it was turned off on another device, or while this app was closed.
  useEffect(() => {
    if (status === 'ready' && !isWalking) void history?.end(false);
  }, [status, isWalking, history]);
  return null;
}
