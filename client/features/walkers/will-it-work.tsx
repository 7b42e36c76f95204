import { LocateFixed } from 'lucide-react';
import { useState } from 'react';
import type { z } from 'zod';
import type { Place } from '#shared/place.ts';
import { countWalkers } from '#shared/walkers/contract.ts';
import { useAction } from '../../platform/forms/use-action.ts';
import { call } from '../../platform/http/api.ts';
import { messageOf } from '../../platform/http/error-message.ts';
import { findPosition, PLACES_MESSAGES } from '../../platform/position/find-position.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Attributions } from '../geocoder/attributions.tsx';
import { PlaceSearch } from '../geocoder/place-search.tsx';

type Answer = z.output<typeof countWalkers.answer>;

/** The caller's position isn't needed more exactly to know their town: about a kilometer. */
const DECIMALS = 2;
const rounded = (degrees: number): number => Number(degrees.toFixed(DECIMALS));

/** Says how many owners walk in somebody's town: before they pay, and later. */
export default function WillItWork() {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [problem, setProblem] = useState('');
  const [ask, isAsking] = useAction(async (find: () => Promise<Place>) => {
    setProblem('');
    try {
      const { latitude, longitude } = await find();
      const query = { latitude: rounded(latitude), longitude: rounded(longitude) };
      setAnswer(await call(countWalkers, { query }));
    } catch (error) {
      setProblem(messageOf(error, countWalkers.failure));
    }
  });
  return (
    <div className="flex flex-col gap-3">
      <PlaceSearch label="Your town" onChoose={(town) => void ask(() => Promise.resolve(town))} />
      <Button
        look="secondary"
        Icon={LocateFixed}
        pending={isAsking && 'Looking…'}
        onClick={() => void ask(() => findPosition({ isRough: true, messages: PLACES_MESSAGES }))}
      >
        Use My Location
      </Button>
      {problem && <ErrorBanner>{problem}</ErrorBanner>}
      <div role="status" className="empty:hidden">
        {answer && <Result answer={answer} />}
      </div>
    </div>
  );
}

function Result({ answer: { town, walkers, attributions } }: { answer: Answer }) {
  if (!town) return <p>No town is near that point.</p>;
  return (
    <div className="flex flex-col gap-2 rounded-control bg-sunken p-3">
      {walkers !== null ? (
        <p>
          <strong>
            {walkers.toLocaleString()} or more owners walked with us in {town.name} last week.
          </strong>{' '}
          You’re warned when one of them comes near, and they of your dog.
        </p>
      ) : (
        <p>
          <strong>You may be the first in {town.name}.</strong> Warnings need both sides, so invite
          the owners you meet: each invitation lets one in for free. Weather, hazards, places to
          walk and your walks work from the first day.
        </p>
      )}
      <p className="text-sm text-soft">
        Counted by week and town, in steps from 5. Nobody’s name or place is in it.
      </p>
      <Attributions of={attributions} />
    </div>
  );
}
