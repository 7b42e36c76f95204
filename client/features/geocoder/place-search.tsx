import { Building2, Footprints, MapPin, type LucideIcon } from 'lucide-react';
import { useId, useRef, useState, type FormEvent } from 'react';
import { searchGeocoder, type GeocoderResult } from '#shared/geocoder/contract.ts';
import { GEOCODER_QUERY } from '#shared/geocoder/rules.ts';
import type { z } from 'zod';
import { useAction } from '../../platform/forms/use-action.ts';
import { call } from '../../platform/http/api.ts';
import { messageOf } from '../../platform/http/error-message.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { FieldError } from '../../platform/ui/inputs/field-error.tsx';
import { SearchField } from '../../platform/ui/inputs/search-field.tsx';
import { Attributions } from './attributions.tsx';

type Answer = z.output<typeof searchGeocoder.answer>;

const ICONS: Record<GeocoderResult['kind'], LucideIcon> = {
  place: Footprints,
  town: Building2,
  address: MapPin,
};

const ADDRESSES: Record<Answer['addresses'], string> = {
  searched: '',
  off: ' Try the name of a town.',
  failed: ' Street addresses can’t be searched right now.',
};

function summaryOf({ results, addresses }: Answer): string {
  if (results.length === 0) return `Nothing was found.${ADDRESSES[addresses]}`;
  const count = results.length === 1 ? '1 result' : `${results.length} results`;
  return addresses === 'failed' ? `${count}.${ADDRESSES.failed}` : count;
}

/**
 * Finds a place, town or address by name, without this device's position. It searches when the user submits, because
 * geocoders don't allow a search at each keystroke.
 */
export function PlaceSearch({
  label = 'Town, address or place',
  isEmbedded = false,
  onChoose,
}: {
  label?: string;
  /** Inside another form, which Enter must not send. */
  isEmbedded?: boolean;
  onChoose: (result: GeocoderResult) => void;
}) {
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [problem, setProblem] = useState('');

  const [search, searching] = useAction(async () => {
    setProblem('');
    setAnswer(null);
    const query = text.trim();
    if (query.length < GEOCODER_QUERY.min) return setProblem('Enter at least two characters');
    try {
      setAnswer(await call(searchGeocoder, { query: { query } }));
    } catch (error) {
      setProblem(messageOf(error));
    }
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void search();
  };
  const choose = (result: GeocoderResult) => {
    setText(result.name);
    setAnswer(null);
    // The chosen button disappears with the list.
    field.current?.querySelector('input')?.focus({ preventScroll: true });
    onChoose(result);
  };

  const content = (
    <>
      <div ref={field} className="flex items-end gap-2">
        <SearchField
          label={label}
          value={text}
          onChange={setText}
          max={GEOCODER_QUERY.max}
          // Another icon than the magnifier of a search for places to walk.
          Icon={MapPin}
          onEnter={isEmbedded ? () => void search() : undefined}
          className="min-w-0 flex-1"
        />
        <Button
          type={isEmbedded ? 'button' : 'submit'}
          look="secondary"
          pending={searching && 'Finding…'}
          onClick={isEmbedded ? () => void search() : undefined}
        >
          Find
        </Button>
      </div>
      <FieldError id={`${id}-error`}>{problem}</FieldError>
      <p role="status" className="text-sm text-soft empty:hidden">
        {answer && summaryOf(answer)}
      </p>
      {answer && answer.results.length > 0 && (
        <ul aria-label="Search results" className="flex flex-col gap-1">
          {answer.results.map((result, index) => (
            <Result key={index} result={result} onChoose={() => choose(result)} />
          ))}
        </ul>
      )}
      <Attributions of={answer?.attributions ?? []} />
    </>
  );
  // Forms can't be nested.
  if (isEmbedded)
    return (
      <div role="search" aria-label="Find a place" className="flex flex-col gap-2">
        {content}
      </div>
    );
  return (
    <form
      role="search"
      aria-label="Find a place"
      noValidate
      onSubmit={submit}
      className="flex flex-col gap-2"
    >
      {content}
    </form>
  );
}

function Result({ result, onChoose }: { result: GeocoderResult; onChoose: () => void }) {
  const Icon = ICONS[result.kind];
  return (
    <li>
      <button
        type="button"
        onClick={onChoose}
        className="flex min-h-11 w-full items-center gap-3 rounded-control px-3 py-2 text-left hover:bg-sunken"
      >
        <Icon aria-hidden className="size-5 shrink-0 text-accent" />
        <span className="min-w-0">
          <span className="block font-bold break-words">{result.name}</span>
          {result.detail && (
            <span className="block text-sm break-words text-soft">{result.detail}</span>
          )}
        </span>
      </button>
    </li>
  );
}
