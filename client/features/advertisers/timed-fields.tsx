import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Clock } from 'lucide-react';
import { useState } from 'react';
import { placement as places, type Placement } from '#shared/ads/contract.ts';
import { AD_DESCRIPTION_MAX, AD_TITLE_MAX } from '#shared/ads/rules.ts';
import { findSlot } from '#shared/advertisers/contract.ts';
import { endOfSlot, SLOT_HOURS } from '#shared/advertisers/rules.ts';
import { formatDateTimeInZone } from '#shared/dates.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';
import { SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { useNow } from '../../platform/use-now.ts';
import { PLACEMENT_NAMES } from '../ads/placement-labels.ts';
import { fieldTime } from './datetime-local.ts';
import { PLACEMENT_HINTS } from './labels.ts';
import { PlacementDrawing } from './placement-drawing.tsx';
import { ReachEstimate } from './reach-estimate.tsx';
import type { Draft } from './signup/draft.ts';
import { isOffered, SlotCalendar } from './slot-calendar.tsx';

const PLACES = places.options.map((value) => ({ value, name: PLACEMENT_NAMES[value] }));

/** The fields of a timed ad. */
export function TimedFields({
  timed,
  adId,
  fields,
  change,
}: {
  timed: Draft['timed'];
  /** The ad that is being edited, whose own slot counts as free. */
  adId: number | string | undefined;
  fields: Record<string, string>;
  change: (changes: Partial<Draft['timed']>) => void;
}) {
  const now = useNow();
  const problem = fields['scheduled_start_at'];
  // One control for the time: the field is for what the calendar doesn't offer.
  const [isOther, setOther] = useState(
    () => timed.start !== '' && !isOffered(new Date(timed.start)),
  );
  return (
    <>
      <Field
        label="Title"
        value={timed.title}
        onChange={({ target }) => change({ title: target.value })}
        error={fields['title']}
        maxLength={AD_TITLE_MAX}
        required
      />
      <MessageField
        label="Description"
        value={timed.description}
        onChange={(description) => change({ description })}
        max={AD_DESCRIPTION_MAX}
        error={fields['description']}
        required
      />
      <Field
        label="Target URL"
        hint="The page your ad opens."
        type="url"
        inputMode="url"
        placeholder="https://"
        value={timed.target_url}
        onChange={({ target }) => change({ target_url: target.value })}
        error={fields['target_url']}
        required
      />
      <div className="flex items-start gap-3">
        <SelectField
          label="Placement"
          hint={PLACEMENT_HINTS[timed.placement]}
          options={PLACES}
          value={timed.placement}
          onChange={({ target }) => change({ placement: target.value as Placement })}
          className="min-w-0 flex-1"
        />
        <PlacementDrawing placement={timed.placement} />
      </div>
      <SlotCalendar
        placement={timed.placement}
        adId={adId}
        start={timed.start}
        onPick={(start) => change({ start: fieldTime(start) })}
      />
      {isOther || problem ? (
        <Field
          label="Scheduled start"
          hint={`In your time zone. It runs for ${SLOT_HOURS} hours.`}
          type="datetime-local"
          value={timed.start}
          min={fieldTime(new Date(now))}
          onChange={({ target }) => {
            // Its problem, which may have opened it, is gone now.
            setOther(true);
            change({ start: target.value });
          }}
          error={problem && startProblem(problem)}
          required
        />
      ) : (
        <Button
          look="quiet"
          className="self-start px-0!"
          Icon={Clock}
          onClick={() => setOther(true)}
        >
          Another time
        </Button>
      )}
      <TimeCheck
        timed={timed}
        adId={adId}
        onPick={(start) => change({ start: fieldTime(start) })}
      />
      <TimedReach timed={timed} />
    </>
  );
}

/** The server's error is the next free time if the slot is taken; that is shown below the field. */
const startProblem = (words: string) =>
  Number.isNaN(Date.parse(words)) ? words : 'This time is taken. Choose another one.';

/** The expected views, as soon as there is a time. */
function TimedReach({ timed: { placement, start } }: { timed: Draft['timed'] }) {
  const time = new Date(start);
  if (Number.isNaN(time.getTime())) return null;
  return (
    <ReachEstimate ad={{ kind: 'timed', placement, scheduled_start_at: time.toISOString() }} />
  );
}

/** Shows whether the chosen time is free, or else the next free one. */
function TimeCheck({
  timed: { placement, start },
  adId,
  onPick,
}: {
  timed: Draft['timed'];
  adId: number | string | undefined;
  onPick: (start: Date) => void;
}) {
  const time = new Date(start);
  const isAhead = time.getTime() > useNow();
  const { data } = useQuery(
    {
      queryKey: ['advertiser-slots', placement, start, adId],
      queryFn: ({ signal }) =>
        call(findSlot, {
          query: { placement, scheduled_start_at: time.toISOString(), advertisement_id: adId },
          signal,
        }),
      enabled: isAhead,
      staleTime: 10_000,
      retry: false,
    },
    queries,
  );
  if (!isAhead || !data) return <div role="status" />;
  if (data.is_free)
    return (
      <p role="status" className="flex items-start gap-2">
        <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
        <span>
          Available from {formatDateTimeInZone(time)} to{' '}
          {formatDateTimeInZone(endOfSlot(time, SLOT_HOURS))}.
        </span>
      </p>
    );
  const next = new Date(data.next_free_at);
  return (
    <div
      role="status"
      className="flex flex-col items-start gap-2 rounded-control border border-line-strong bg-surface p-4"
    >
      <p>
        <strong className="block">This time is taken.</strong>
        The next available slot starts on {formatDateTimeInZone(next)}.
      </p>
      <Button look="secondary" onClick={() => onPick(next)}>
        Use that slot
      </Button>
    </div>
  );
}
