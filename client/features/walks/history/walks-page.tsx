import { CalendarDays, ChevronRight, Download, Footprints, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatDay, formatTime, formatWeekdayDate } from '#shared/dates.ts';
import { saveFile } from '../../../platform/export-data.ts';
import { EmptyState } from '../../../platform/illustrations/empty-state.tsx';
import { isInstalled } from '../../../platform/install/install-event.ts';
import { Button, ButtonLink } from '../../../platform/ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { Screen } from '../../../platform/ui/layout/screen.tsx';
import { StatTiles } from '../../../platform/ui/layout/stat-tiles.tsx';
import { useMedia } from '../../../platform/ui/layout/use-media.ts';
import { useNow } from '../../../platform/use-now.ts';
import { useUnits } from '../../settings/use-units.ts';
import { formatDuration, formatWalks } from '../format.ts';
import { useWalkHistory, useWalks, walkPath } from '../use-walks.ts';
import { durationOf, type Walk } from '../walk.ts';
import { walksFile } from '../walks-file.ts';
import { ImportWalks } from './import-walks.tsx';
import { dayOf, WalkCalendar } from './walk-calendar.tsx';
import { totalsOf, weeksOf } from './weeks.ts';

const WEEKS = 8;
/** More walks are shown on request. */
const PAGE = 10;

/** The walks on this device: totals, weeks, and each walk. */
export default function WalksPage() {
  const walks = useWalks();
  return (
    <Screen title="Your walks" className="flex flex-col gap-4 px-4 pb-4 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-2">
        <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight sm:text-3xl">
          Your walks
        </h1>
        <ButtonLink look="secondary" to="/walks/planned" Icon={CalendarDays}>
          Planned walks
        </ButtonLink>
      </div>
      <p className="-mt-2 text-soft">Stored on this device only. We never see your route.</p>
      {!walks && <Skeleton label="Loading your walks…" lines={4} />}
      {walks?.length === 0 && (
        <Card title="No walks yet">
          <EmptyState
            illustration="quiet"
            action={
              <ButtonLink to="/home" Icon={Footprints}>
                Go for a walk
              </ButtonLink>
            }
          >
            Start a walk when you head out. It’s recorded until you end it.
          </EmptyState>
          <div className="actions mt-3">
            <ImportWalks />
          </div>
          {!isInstalled() && (
            <p className="mt-3 text-center text-sm text-soft">
              Did you have walks here? Browsers may delete what they store: Safari does after seven
              days without a visit, unless the app is on your home screen.
            </p>
          )}
        </Card>
      )}
      {walks && walks.length > 0 && <History walks={walks} />}
    </Screen>
  );
}

function History({ walks }: { walks: readonly Walk[] }) {
  const units = useUnits();
  const now = useNow();
  const { count, durationMs, distanceMeters } = totalsOf(walks, now);
  const [shown, setShown] = useState(PAGE);
  const [day, setDay] = useState<number | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const isWide = useMedia('(min-width: 48rem)');
  // On a phone, a month with a single day says no more than the list.
  const hasDays = isWide || new Set(walks.map(({ startedAt }) => dayOf(startedAt))).size > 1;
  const listedWalks =
    day === null ? walks : walks.filter(({ startedAt }) => dayOf(startedAt) === day);
  return (
    <>
      <StatTiles
        stats={[
          { name: count === 1 ? 'Walk' : 'Walks', value: String(count) },
          { name: 'Time', value: formatDuration(durationMs) },
          { name: 'Distance', value: units.walked(distanceMeters) },
        ]}
      />
      <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
        <div ref={list} className="scroll-mt-4">
          <Card title={day === null ? 'All walks' : formatWeekdayDate(day)}>
            <ul className="divide-y divide-line">
              {listedWalks.slice(0, shown).map((walk) => (
                <WalkRow key={walk.id} walk={walk} now={now} />
              ))}
            </ul>
            {listedWalks.length > shown && (
              <Button look="secondary" wide className="mt-3" onClick={() => setShown(shown + PAGE)}>
                Show more
              </Button>
            )}
          </Card>
        </div>
        <div className="flex flex-col gap-4">
          {hasDays && (
            <WalkCalendar
              walks={walks}
              now={now}
              chosen={day}
              onChoose={(chosen) => {
                setDay(chosen);
                if (chosen !== null) list.current?.scrollIntoView({ block: 'nearest' });
              }}
            />
          )}
          <Weeks walks={walks} now={now} />
        </div>
      </div>
      <Actions walks={walks} />
    </>
  );
}

function Weeks({ walks, now }: { walks: readonly Walk[]; now: number }) {
  const units = useUnits();
  const weeks = weeksOf(walks, now, WEEKS);
  const longest = Math.max(1, ...weeks.map(({ distanceMeters }) => distanceMeters));
  return (
    <Card title="Weeks">
      <ul className="flex flex-col gap-3">
        {weeks.map(({ startsAt, count, durationMs, distanceMeters }, ago) => (
          <li key={startsAt}>
            <p className="flex flex-wrap justify-between gap-x-3">
              <span className="font-bold">
                {ago === 0 ? 'This week' : `Week of ${formatDay(startsAt)}`}
              </span>
              <span className="tabular-nums">{units.walked(distanceMeters)}</span>
            </p>
            {/* A bar alone compares nothing. */}
            {weeks.length > 1 && (
              <div aria-hidden className="my-1 h-3 rounded-full bg-sunken">
                <div
                  className="h-full rounded-full bg-accent"
                  style={{ width: `${(100 * distanceMeters) / longest}%` }}
                />
              </div>
            )}
            <p className="text-sm text-soft">
              {formatWalks(count)} · {formatDuration(durationMs)}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function WalkRow({ walk, now }: { walk: Walk; now: number }) {
  const units = useUnits();
  return (
    <li>
      <Link
        to={walkPath(walk.id)}
        className="-mx-2 flex min-h-14 items-center gap-3 rounded-control px-2 py-2.5 hover:bg-sunken"
      >
        <span className="min-w-0 flex-1">
          <span className="block font-bold">
            {formatWeekdayDate(walk.startedAt)}, {formatTime(walk.startedAt)}
          </span>
          <span className="block text-sm text-soft">
            {walk.endedAt === null ? <span>{'Now · '}</span> : ''}
            <span>
              {formatDuration(durationOf(walk, now))} · {units.walked(walk.distanceMeters)}
            </span>
            {walk.metCount > 0 && (
              <span>{` · met ${walk.metCount} ${walk.metCount === 1 ? 'person' : 'people'}`}</span>
            )}
          </span>
        </span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-soft" />
      </Link>
    </li>
  );
}

function Actions({ walks }: { walks: readonly Walk[] }) {
  const history = useWalkHistory();
  const [isAsking, setAsking] = useState(false);
  const past = walks.filter(({ endedAt }) => endedAt !== null).map(({ id }) => id);
  return (
    <div className="-mx-2 flex flex-wrap items-center gap-x-2">
      <Button
        look="quiet"
        className="px-2!"
        onClick={() => saveFile(walksFile(walks))}
        Icon={Download}
      >
        Export walks
      </Button>
      <ImportWalks look="quiet" className="px-2!" />
      <Button
        look="quiet"
        className="px-2! text-soft! sm:ml-auto"
        disabled={past.length === 0}
        onClick={() => setAsking(true)}
        Icon={Trash2}
      >
        Delete all walks
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Delete all walks?"
        description={`${formatWalks(past.length)} will be deleted from this device. They aren’t stored anywhere else, so only a file that you exported brings them back.`}
        yes="Delete all"
        onYes={() => void history?.remove(past)}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
