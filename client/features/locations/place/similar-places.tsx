import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { getLocation } from '#shared/locations/contract.ts';
import { metersBetween, milesOf } from '#shared/place.ts';
import { isNotFound } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { useUnits } from '../../settings/use-units.ts';
import { LOCATION_KINDS } from '../place-types.ts';
import { usePendingDuplicate } from './pending-duplicates.ts';
import { usePlaceActions } from './use-place-actions.ts';

/** Asks whether a new place is the same as a similar existing one. */
export function SimilarPlaces({ onIsThis }: { onIsThis: (id: string) => void }) {
  const user = useUser();
  const userId = user?.id ?? '';
  const { first, settle } = usePendingDuplicate(userId);
  const { addPlace } = usePlaceActions();
  const [postponed, setPostponed] = useState<typeof first>(null);
  const candidates = useQueries({
    queries: (first?.candidates ?? []).map((id) => ({
      queryKey: ['place', userId, id],
      queryFn: () => call(getLocation, { params: { id } }),
    })),
  });
  const units = useUnits();
  // Waits until all candidates are loaded, such as while offline.
  const isKnown = candidates.every(({ data, error }) => data || isNotFound(error));
  if (!first || first === postponed || !isKnown) return null;
  const { body } = first;

  return (
    <Modal
      open
      // Asked again at the next visit: the new place is discarded only on request.
      onClose={() => setPostponed(first)}
      title="Is it one of these?"
      description={`“${body.name}” looks like a place that already exists. Avoiding duplicates keeps all tips and visits in one place.`}
    >
      <ul className="mb-4 flex flex-col gap-2">
        {candidates.map(({ data }) => {
          if (!data) return null;
          const place = data.location;
          const { name, Icon } = LOCATION_KINDS[place.location_type];
          const miles = milesOf(metersBetween(place, body));
          return (
            <li key={place.id}>
              <Button
                look="secondary"
                wide
                className="justify-start! px-4! text-left!"
                icon={<Icon aria-hidden className="size-6 shrink-0 text-accent" />}
                onClick={() => {
                  settle();
                  onIsThis(place.id);
                }}
              >
                <span className="min-w-0">
                  <span className="block break-words">It’s {place.name}</span>
                  <span className="block text-sm font-normal text-soft">
                    {name} · {units.far(miles)} from yours
                  </span>
                </span>
              </Button>
            </li>
          );
        })}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button look="secondary" onClick={settle}>
          Discard mine
        </Button>
        <Button
          className="flex-1"
          onClick={() => {
            settle();
            void addPlace(body, true).catch((error: unknown) =>
              console.error('Failed to create location', error),
            );
          }}
        >
          Add it anyway
        </Button>
      </div>
    </Modal>
  );
}
