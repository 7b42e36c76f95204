import { CalendarPlus } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { listPlannedWalks } from '#shared/planned-walks/contract.ts';
import { EmptyState } from '../../platform/illustrations/empty-state.tsx';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { RetryBanner } from '../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { useNow } from '../../platform/use-now.ts';
import type { ShownPlannedWalk } from './optimistic-planned-walks.ts';
import { PlannedWalkForm } from './planned-walk-form.tsx';
import { PlannedWalkItem } from './planned-walk-item.tsx';
import { usePlannedWalks } from './use-planned-walks.ts';

const ReportModal = lazyComponent(() => import('../moderation/admin/report-modal.tsx'));

/** Walks that the owner and their friends plan together. Works offline. */
export default function PlannedWalksPage() {
  const { walks, asked } = usePlannedWalks();
  const [search] = useSearchParams();
  const { opened, id, open, close } = useDialogParam();
  const now = useNow();
  const isAhead = ({ starts_at }: ShownPlannedWalk) => Date.parse(starts_at) > now;
  const ahead = walks.filter(isAhead);
  const earlier = walks.filter((walk) => !isAhead(walk)).toReversed();
  const edited = opened === 'edit-walk' ? ahead.find((walk) => walk.id === id) : undefined;
  const reported =
    opened === 'report-walk' ? walks.find((walk) => walk.id === id && !walk.is_own) : undefined;
  const list = (listed: readonly ShownPlannedWalk[]) => (
    <ul className="flex flex-col divide-y divide-line">
      {listed.map((walk) => (
        <PlannedWalkItem
          key={walk.id}
          walk={walk}
          isAhead={isAhead(walk)}
          isChosen={walk.id === search.get('walk')}
          onEdit={() => open('edit-walk', walk.id)}
          onReport={() => open('report-walk', walk.id)}
        />
      ))}
    </ul>
  );
  return (
    <Screen title="Planned walks" className="flex flex-col gap-4 px-4 pb-4 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-2">
        <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight sm:text-3xl">
          Planned walks
        </h1>
        <Button Icon={CalendarPlus} onClick={() => open('plan-walk')}>
          Plan a walk
        </Button>
      </div>
      {asked.error && <RetryBanner title={listPlannedWalks.failure} asked={asked} />}
      <Card title="Coming up">
        {ahead.length > 0 && list(ahead)}
        {ahead.length === 0 &&
          (asked.data ? (
            <EmptyState illustration="friends">
              No walks planned. Choose a time and a place, and invite your friends.
            </EmptyState>
          ) : asked.isPaused ? (
            <p className="text-soft">
              You’re offline. Your planned walks appear here when you’re back online.
            </p>
          ) : (
            !asked.error && <Skeleton label="Loading planned walks…" lines={3} />
          ))}
      </Card>
      {earlier.length > 0 && <Card title="Earlier">{list(earlier)}</Card>}
      <p className="text-sm text-soft">
        Only the people you invite see a walk. It’s deleted three days after its start.
      </p>
      <Modal
        open={opened === 'plan-walk' || opened === 'plan-walk-with'}
        onClose={close}
        title="Plan a Walk"
      >
        <PlannedWalkForm
          placeId={opened === 'plan-walk' ? id : null}
          friendId={opened === 'plan-walk-with' ? id : null}
          onDone={close}
        />
      </Modal>
      <Modal open={edited !== undefined} onClose={close} title="Edit Walk">
        <PlannedWalkForm walk={edited} onDone={close} />
      </Modal>
      {reported && (
        <ReportModal
          reported={{ type: 'planned_walk', planned_walk_id: reported.id }}
          text={[reported.place_name, reported.note].filter((text) => text !== '').join('\n')}
          person={reported.organizer}
          onClose={() => void close()}
        />
      )}
    </Screen>
  );
}
