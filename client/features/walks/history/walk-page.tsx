import { useQuery } from '@tanstack/react-query';
import { Dog, History, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatTime, formatWeekdayDate } from '#shared/dates.ts';
import { METERS_PER_MILE } from '#shared/place.ts';
import { RADIUS_FEET } from '#shared/proximity/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import type { Units } from '#shared/units.ts';
import { listRecentEncounters, type RecentEncounter } from '#shared/walks/contract.ts';
import { call } from '../../../platform/http/api.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';
import { Button, ButtonLink } from '../../../platform/ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { Screen } from '../../../platform/ui/layout/screen.tsx';
import { StatTiles } from '../../../platform/ui/layout/stat-tiles.tsx';
import { useNow } from '../../../platform/use-now.ts';
import { useContacts } from '../../friends/use-contacts.ts';
import { listed } from '../../proximity/alerts/alert-text.ts';
import { useUnits } from '../../settings/use-units.ts';
import { formatDuration } from '../format.ts';
import { useWalkHistory, useWalks } from '../use-walks.ts';
import { ACTIONS_MS, durationOf, type MetPerson, type Walk } from '../walk.ts';
import { MetPersonRow } from './met-person-row.tsx';
import { RouteMap } from './route-map.tsx';
import { WalkNotes } from './walk-notes.tsx';

/** The summary of one walk: how long, how far, and whom the owner met. Works offline. */
export default function WalkPage({ walkId }: { walkId: string }) {
  const walks = useWalks();
  const walk = walks?.find(({ id }) => id === walkId);
  const now = useNow();
  return (
    <Screen title="Your walk" className="flex flex-col gap-4 px-4 pb-4 sm:px-6">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 pt-2">
        <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight sm:text-3xl">
          Your walk
        </h1>
        {/* However many people follow. */}
        {walk && isRecent(walk, now) && (
          <ButtonLink to="/home" className="min-h-11! py-1.5!">
            Done
          </ButtonLink>
        )}
      </div>
      {walk ? (
        <Summary key={walk.id} walk={walk} />
      ) : walks ? (
        <>
          <p className="text-soft">
            This walk isn’t on this device. Walks are stored only on the device that recorded them,
            until you import them elsewhere.
          </p>
          <ButtonLink look="secondary" to="/walks" Icon={History}>
            All walks
          </ButtonLink>
        </>
      ) : (
        <Skeleton label="Loading your walk…" lines={3} />
      )}
    </Screen>
  );
}

/** Whether a walk ended a short time ago, so that something can be done about whom the owner met. */
const isRecent = ({ endedAt }: Walk, now: number): boolean =>
  endedAt !== null && now - endedAt < ACTIONS_MS;

function Summary({ walk }: { walk: Walk }) {
  const units = useUnits();
  const history = useWalkHistory();
  const navigate = useNavigate();
  const now = useNow();
  const { during, others } = usePeople(walk, now);
  const [isAsking, setAsking] = useState(false);
  const row = (person: MetPerson) => (
    <MetPersonRow
      key={person.user_id}
      person={person}
      isRecent={now - person.at < ACTIONS_MS}
      onCompanion={(isCompanion) => void history?.setCompanion(walk.id, { ...person, isCompanion })}
    />
  );
  const metCount = Math.max(walk.metCount, during.length);
  return (
    <>
      <p className="-mt-3 text-soft">
        {formatWeekdayDate(walk.startedAt)}, {formatTime(walk.startedAt)} –{' '}
        {walk.endedAt === null ? 'now' : formatTime(walk.endedAt)}
      </p>
      {walk.route && <RouteMap route={walk.route} />}
      <StatTiles
        stats={[
          { name: 'Duration', value: formatDuration(durationOf(walk, now)) },
          { name: 'Distance', value: units.walked(walk.distanceMeters) },
          ...paceOf(walk, durationOf(walk, now), units),
          { name: 'People met', value: String(metCount) },
        ]}
      />
      {walk.dogs && walk.dogs.length > 0 && (
        <p className="flex items-center gap-2">
          <Dog aria-hidden className="size-5 shrink-0 text-accent" />
          <span>With {listed(walk.dogs)}</span>
        </p>
      )}
      <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
        <Card title="People you met">
          {during.length > 0 ? (
            <>
              <p className="mb-3 text-sm text-soft">
                “We walked together” keeps a name here for more than 30 days. Nobody else sees it.
              </p>
              <People>{during.map(row)}</People>
            </>
          ) : (
            <p className="text-soft">
              {metCount > 0
                ? 'Names are removed after 30 days.'
                : `We don’t know of anyone who came within ${units.near(RADIUS_FEET)} on this walk.`}
            </p>
          )}
        </Card>
        <div className="flex min-w-0 flex-col gap-4">
          {walk.endedAt !== null && <WalkNotes walk={walk} />}
          {others.length > 0 && (
            <Card title="Also in the last 24 hours">
              <People>{others.map(row)}</People>
            </Card>
          )}
          <div className="flex flex-wrap items-center justify-between gap-2">
            <ButtonLink look="secondary" to="/walks" Icon={History}>
              All walks
            </ButtonLink>
            <Button
              look="quiet"
              onClick={() => setAsking(true)}
              Icon={Trash2}
              className="px-2! text-soft!"
            >
              Delete walk
            </Button>
          </div>
        </div>
      </div>
      <ConfirmDialog
        open={isAsking}
        title="Delete this walk?"
        description="It’s stored on this device only, so it can’t be restored."
        yes="Delete"
        onYes={() => {
          void navigate('/walks', { replace: true });
          void history?.remove([walk.id]);
        }}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

/** Shorter distances have no pace worth telling. */
const PACE_MIN_METERS = 200;

/** Returns the time for a mile or a kilometer. */
function paceOf({ distanceMeters }: Walk, durationMs: number, units: Units) {
  if (distanceMeters < PACE_MIN_METERS) return [];
  const [length, name] = units.system === 'us' ? [METERS_PER_MILE, 'mi'] : [1_000, 'km'];
  const seconds = Math.round(durationMs / 1_000 / (distanceMeters / length));
  const minutes = Math.floor(seconds / 60);
  return [{ name: 'Pace', value: `${minutes}:${String(seconds % 60).padStart(2, '0')} /${name}` }];
}

const People = ({ children }: { children: ReactNode }) => <ul>{children}</ul>;

/**
 * Returns whom the owner met during a walk, from this device and, for the last 24 hours, from the server, which may know of more;
 * and whom else they met in the last 24 hours.
 */
function usePeople(walk: Walk, now: number): { during: MetPerson[]; others: MetPerson[] } {
  const { contacts } = useContacts();
  const isRecent = now - (walk.endedAt ?? now) < ACTIONS_MS;
  const { data } = useQuery({
    queryKey: ['recent-encounters', useUser()?.id],
    queryFn: () => call(listRecentEncounters),
    enabled: isRecent,
  });
  const local = new Set(walk.met.map(({ user_id }) => user_id));
  const more = isRecent
    ? (data?.encounters ?? []).filter(({ user_id }) => !local.has(user_id))
    : [];
  const blocked = new Set(contacts.blocked.map(({ user_id }) => user_id));
  const shown = (people: MetPerson[]) => people.filter(({ user_id }) => !blocked.has(user_id));
  const isDuring = ({ at }: MetPerson) =>
    at >= walk.startedAt - MINUTE_MS && at <= (walk.endedAt ?? now);
  const found = more.map(toPerson);
  return {
    during: shown([...walk.met, ...found.filter(isDuring)]),
    others: shown(found.filter((person) => !isDuring(person))),
  };
}

const toPerson = ({ met_at, ...person }: RecentEncounter): MetPerson => ({
  ...person,
  at: Date.parse(met_at),
  isCompanion: false,
});
