import { Check, House } from 'lucide-react';
import { useId } from 'react';
import { useDogsAlong } from '../use-dogs-along.ts';

/** Asks which dogs come along, before a walk and during it. An only dog does, without a question. */
export function WalkDogs({ isWalking }: { isWalking: boolean }) {
  const labelId = useId();
  const { dogs, along, toggle } = useDogsAlong();
  if (dogs.length < 2) return null;
  return (
    <div
      role="group"
      aria-labelledby={labelId}
      className="flex flex-wrap items-center gap-x-1.5 gap-y-1"
    >
      <p id={labelId} className={`text-sm font-bold ${dogs.length > 2 ? 'basis-full' : ''}`}>
        {isWalking ? 'Who’s with you?' : 'Who’s coming?'}
      </p>
      {dogs.map((dog) => {
        const isAlong = along.includes(dog);
        const Icon = isAlong ? Check : House;
        return (
          <button
            key={dog.id}
            type="button"
            aria-pressed={isAlong}
            onClick={() => toggle(dog.id)}
            className={`inline-flex min-h-11 max-w-full min-w-11 items-center gap-1 rounded-full border-2 px-2.5 text-sm font-bold ${isAlong ? 'border-accent bg-accent-soft text-ink' : 'border-line-strong bg-surface text-soft'}`}
          >
            <Icon aria-hidden className="size-4 shrink-0" />
            <span className="min-w-0 truncate">{dog.name}</span>
          </button>
        );
      })}
      <p role="status" className={along.length > 0 ? 'sr-only' : 'basis-full text-sm text-soft'}>
        {along.length === 0 && 'Just you. Others see that you’re without a dog.'}
      </p>
    </div>
  );
}
