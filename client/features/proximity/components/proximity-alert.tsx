import { BellOff, Volume2 } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { nameWithNote } from '#shared/friends/lookalikes.ts';
import { AboveDialogs } from '../../../platform/ui/dialogs/above-dialogs.tsx';
import { useTopDialog } from '../../../platform/ui/dialogs/top-dialog.ts';
import { asReadFirst } from '../../../platform/ui/feedback/toast-place.ts';
import { LEASH } from '../../../platform/ui/layout/leash-badge.tsx';
import { AddFriendLine } from '../../friends/add-friend.tsx';
import { useLookalikes } from '../../friends/lookalike-note.tsx';
import { isVisible, type ShownAlert } from '../alerts/shown-alert.ts';
import { soundOf } from '../alerts/verdict.ts';
import { useAudioAvailability, useProximity } from '../use-proximity.ts';
import { AlertCard } from './alert-card.tsx';
import { AlertLine, MORE_SHOWN } from './alert-line.tsx';
import { AlertPills } from './alert-pills.tsx';
import { SHEET, useAlertFocus } from './use-alert-focus.ts';
import { useSeenAlerts } from './use-seen-alerts.ts';
import { useSilencing } from './use-silencing.ts';
import { WalkQuestion } from './walk-question.tsx';
import { WalkerAnswers } from './walker-answers.tsx';

/** What the owner can do about a person with a name, in one tap: add them as a friend, or silence those whom they walk with. */
function PersonActions({ alert, onLeave }: { alert: ShownAlert; onLeave: () => void }) {
  const { canSilence, canSilenceFriends, silence, silenceFriends } = useSilencing();
  if (alert.isAsking) return <WalkQuestion alert={alert} />;
  if (!canSilence(alert)) return null;
  const button =
    'flex min-h-11 min-w-0 items-center gap-2 rounded-control px-2 font-bold underline decoration-line-strong underline-offset-4';
  return (
    // A low window has no room for it; the pill has both.
    <div className="flex flex-wrap gap-x-4 px-3 pt-1 tight:hidden">
      <AddFriendLine userId={alert.user_id} name={alert.display_name} onLeave={onLeave} />
      <button type="button" onClick={() => silence(alert)} className={button}>
        <BellOff aria-hidden className="size-5 shrink-0" />
        <span className="min-w-0 text-left break-words">
          Silence <span className="sr-only">{alert.display_name} </span>for this walk
        </span>
      </button>
      {canSilenceFriends(alert) && (
        <button type="button" onClick={silenceFriends} className={button}>
          Always silence friends’ dogs
        </button>
      )}
    </div>
  );
}

const PLACES = {
  screen: 'bottom-0 border-t-4 pb-[env(safe-area-inset-bottom)] sm:bottom-6 sm:max-w-xl',
  // The buttons of a dialog are at its bottom. In a wide window, there is room next to it.
  dialog: 'top-0 border-b-4 pt-[env(safe-area-inset-top)] sm:top-6 sm:max-w-xl xl:max-w-84',
};

/**
 * The alert, above everything else: at the bottom of the screen within the thumb's reach, or at the top while a dialog is open,
 * so that the buttons of the dialog stay in view. It closes when the others have left; “Got it” or Escape folds it into a pill.
 */
export function ProximityAlert() {
  const { alerts: all, act } = useProximity();
  const alerts = all.filter(({ isFolded }) => !isFolded);
  const { audio, speech, turnSoundOn } = useAudioAvailability();
  const lookalikeOf = useLookalikes();
  const [first] = alerts;
  // The sheet covers the pills, which may be about someone nearer.
  const others = all.filter(
    (alert) => alert !== first && (!alert.isFolded || (isVisible(alert) && alert.dogs.length > 0)),
  );
  const lines = others.slice(0, MORE_SHOWN);
  // Omits the distance, which would be announced again at each change.
  const announcement = alerts
    .map(
      ({ user_id, names, verdict, notes, display_name: name, advice }) =>
        `${names} ${verdict}. ${notes && `${notes}. `}${name && `${nameWithNote(name, lookalikeOf(user_id, name))} is near. `}${advice}`,
    )
    .join(' ');
  // Alerts that don't fit stay when the others are acknowledged.
  const { takesTaps, onPointerDownCapture, seenAt, seenBy } = useSeenAlerts(
    [first, ...lines].flatMap((alert) => (alert && !alert.isFolded ? [alert.user_id] : [])),
  );
  const isSilent = audio !== 'on' && speech !== 'on';
  const isBlocked = audio === 'blocked' || speech === 'blocked';
  const unseen = others.length - lines.length;
  const [gotItRef, moveFocusTo] = useAlertFocus(first !== undefined);

  const dialog = useTopDialog();
  function fold(userIds: string[]) {
    moveFocusTo('pills');
    act({ type: 'fold', userIds });
  }
  // Escape is about what is on top: the dialog below stays open, with what was typed.
  useEscape(dialog !== null && takesTaps, ({ timeStamp }) => fold(seenBy(timeStamp)));

  const shown = first && (
    <section
      ref={asReadFirst}
      aria-label="Dog nearby"
      {...{ [SHEET]: '' }}
      data-tight={dialog ? '' : undefined}
      onPointerDownCapture={onPointerDownCapture}
      // Otherwise a dialog below would treat a tap here as a tap outside it, and close.
      onPointerDown={(event) => event.stopPropagation()}
      className={`${takesTaps ? 'pointer-events-auto' : 'pointer-events-none'} ${dialog ? PLACES.dialog : PLACES.screen} fixed inset-x-0 z-60 max-h-dvh overflow-y-auto border-surface bg-surface shadow-lift sm:right-6 sm:left-auto sm:w-full sm:rounded-card sm:border-4`}
    >
      <AlertCard key={first.user_id} alert={first} />
      {lines.map((alert) => (
        <AlertLine
          key={alert.user_id}
          alert={alert}
          className={`gap-2.5 px-4 py-2.5 text-lg ${LEASH[soundOf(alert)].soft}`}
        />
      ))}
      {unseen > 0 && (
        <p className="px-4 py-2 font-bold">
          and {unseen} more {unseen === 1 ? 'person' : 'people'} with dogs
        </p>
      )}
      {!dialog && <PersonActions alert={first} onLeave={() => fold([first.user_id])} />}
      {/* In view however small the window is, such as above a keyboard. */}
      <div className="sticky bottom-0 flex flex-wrap gap-2 bg-surface p-3 tight:py-2">
        <WalkerAnswers key={`answers ${first.user_id}`} alert={first} />
        {isSilent && isBlocked && (
          <button
            type="button"
            onClick={() => void turnSoundOn()}
            className="flex min-h-14 flex-1 items-center justify-center gap-2 rounded-control border-2 tight:min-h-12 border-ink px-3 text-lg font-bold"
          >
            <Volume2 aria-hidden className="size-6" />
            Sound on
          </button>
        )}
        <button
          ref={gotItRef}
          type="button"
          onClick={(event) => fold(seenAt(event))}
          className="min-h-14 flex-1 rounded-control bg-ink tight:min-h-12 px-3 text-lg font-bold text-ground"
        >
          Got it
        </button>
      </div>
    </section>
  );
  return (
    <>
      <p aria-live="assertive" className="sr-only">
        {announcement}
      </p>
      <AboveDialogs>
        <AlertPills
          onOpen={(userId) => {
            moveFocusTo('sheet');
            act({ type: 'unfold', userId });
          }}
        />
        {shown}
      </AboveDialogs>
    </>
  );
}

/**
 * Calls a function at Escape, before any dialog that would close.
 * @param isActive whether Escape is for the caller; else it reaches the dialogs
 */
function useEscape(isActive: boolean, onEscape: (event: KeyboardEvent) => void): void {
  const handle = useEffectEvent(onEscape);
  useEffect(() => {
    if (!isActive) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      event.stopImmediatePropagation();
      handle(event);
    };
    // Dialogs listen on the document.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [isActive]);
}
