import { Building2, Footprints, MapPin, type LucideIcon } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState, type FormEvent } from 'react';
import type { z } from 'zod';
import { searchGeocoder, suggestGeocoder, type GeocoderResult } from '#shared/geocoder/contract.ts';
import { GEOCODER_QUERY } from '#shared/geocoder/rules.ts';
import type { Place } from '#shared/place.ts';
import { useAction } from '../../platform/forms/use-action.ts';
import { call } from '../../platform/http/api.ts';
import { messageOf } from '../../platform/http/error-message.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { FieldError } from '../../platform/ui/inputs/field-error.tsx';
import { SearchField } from '../../platform/ui/inputs/search-field.tsx';
import { Attributions } from './attributions.tsx';
import { OsmAttribution } from './osm-attribution.tsx';

type Answer = z.output<typeof searchGeocoder.answer>;
type Suggested = z.output<typeof suggestGeocoder.answer>;

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

/** How many known places are suggested. */
const KNOWN_SHOWN = 4;

/** Returns the known places whose name has the typed text. */
const knownOf = (known: readonly GeocoderResult[], typed: string): GeocoderResult[] =>
  known
    .filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()))
    .slice(0, KNOWN_SHOWN);

/** After the last keystroke. */
const TYPED_MS = 300;
/** Two decimals are about a kilometer: enough to know what is near. */
const NEAR_DECIMALS = 2;

/** Returns a point as the calls take it, rounded, and the same until it changes. */
function useAround(near: Place | null): Partial<Place> {
  const latitude = near && Number(near.latitude.toFixed(NEAR_DECIMALS));
  const longitude = near && Number(near.longitude.toFixed(NEAR_DECIMALS));
  return useMemo(
    () => (latitude === null || longitude === null ? {} : { latitude, longitude }),
    [latitude, longitude],
  );
}

/** Returns the last suggestions and what they are for; asks for those of a text that is long enough. */
function useSuggested(typed: string, around: Partial<Place>) {
  const [suggested, setSuggested] = useState<{ query: string; as: Suggested } | null>(null);
  useEffect(() => {
    if (typed.length < GEOCODER_QUERY.min) return;
    const leaving = new AbortController();
    const ask = () =>
      call(suggestGeocoder, { query: { query: typed, ...around }, signal: leaving.signal }).then(
        (as) => setSuggested({ query: typed, as }),
        // What was typed can still be searched, which tells why it fails.
        () => {},
      );
    const timer = setTimeout(() => void ask(), TYPED_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [typed, around]);
  return suggested;
}

/**
 * Finds a place, town or address by name. Places and towns are suggested while the user types, near ones first; addresses are
 * searched when the user submits, because geocoders don't allow a search at each keystroke.
 */
export function PlaceSearch({
  label = 'Place or address',
  isEmbedded = false,
  isLabelHidden = false,
  hasButton = true,
  near = null,
  free,
  onChoose,
  onTyped,
}: {
  label?: string;
  /** Around where near places are. */
  near?: Place | null;
  /** Inside another form, which Enter must not send. */
  isEmbedded?: boolean;
  /** Shows the label as a placeholder. */
  isLabelHidden?: boolean;
  /** Whether it has a button of its own; else a button next to it submits its form, as Enter does. */
  hasButton?: boolean;
  /** The text of a form's field, which need not be one of the results. */
  free?: {
    text: string;
    max: number;
    hint: string;
    error: string | undefined;
    /** Known places, near ones first: suggested as long as there are no others, also offline. */
    known: readonly GeocoderResult[];
    onType: (text: string) => void;
  };
  onChoose: (result: GeocoderResult) => void;
  /** Says whether there is a text of which nothing was chosen. */
  onTyped?: (isTyped: boolean) => void;
}) {
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  const [searched, setSearched] = useState('');
  const text = free?.text ?? searched;
  const setText = free?.onType ?? setSearched;
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [problem, setProblem] = useState('');

  const typed = text.trim();
  // A text that was there before needs no suggestions.
  const [isTyped, setTyped] = useState(false);
  const around = useAround(near);
  const suggested = useSuggested(isTyped ? typed : '', around);
  const isSuggesting = !answer && isTyped && suggested !== null && suggested.query === typed;
  const known = typed === '' || isTyped ? knownOf(free?.known ?? [], typed) : [];
  const shown =
    answer ??
    (isSuggesting && (suggested.as.results.length > 0 || known.length === 0)
      ? suggested.as
      : { results: known, attributions: [] });

  const [search, searching] = useAction(async () => {
    setProblem('');
    setAnswer(null);
    const query = text.trim();
    if (query.length < GEOCODER_QUERY.min) return setProblem('Enter at least two characters');
    try {
      setAnswer(await call(searchGeocoder, { query: { query, ...around } }));
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
    setTyped(false);
    onTyped?.(false);
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
          onChange={(changed) => {
            setText(changed);
            setTyped(true);
            onTyped?.(changed.trim() !== '');
            setAnswer(null);
            setProblem('');
          }}
          max={free?.max ?? GEOCODER_QUERY.max}
          error={free?.error}
          isLabelHidden={isLabelHidden}
          // Another icon than the magnifier of a search for places to walk.
          Icon={MapPin}
          onEnter={isEmbedded ? () => void search() : undefined}
          className="min-w-0 flex-1"
        />
        {hasButton && ((free ? isTyped && typed !== '' : typed !== '') || searching) && (
          <Button
            type={isEmbedded ? 'button' : 'submit'}
            look="secondary"
            pending={searching && 'Finding…'}
            className="px-3!"
            onClick={isEmbedded ? () => void search() : undefined}
          >
            Find
          </Button>
        )}
      </div>
      <FieldError id={`${id}-error`}>{problem}</FieldError>
      {free && <p className="text-sm text-soft">{free.hint}</p>}
      <SearchStatus
        answer={answer}
        suggested={isSuggesting ? suggested.as.results.length : null}
        isSearching={!hasButton && Boolean(searching)}
        button={hasButton ? 'Find' : 'Search'}
      />
      {shown.results.length > 0 && (
        <ul aria-label={answer ? 'Search results' : 'Suggestions'} className="flex flex-col gap-1">
          {shown.results.map((result, index) => (
            <Result key={index} result={result} onChoose={() => choose(result)} />
          ))}
        </ul>
      )}
      <Attributions of={shown.attributions} />
      {shown.results === known && known.some(({ is_osm }) => is_osm) && <OsmAttribution />}
    </>
  );
  const frame = {
    role: 'search',
    'aria-label': 'Find a place',
    className: 'flex flex-col gap-2',
  };
  // Forms can't be nested.
  if (isEmbedded) return <div {...frame}>{content}</div>;
  return (
    <form {...frame} noValidate onSubmit={submit}>
      {content}
    </form>
  );
}

/** @param suggested how many places are suggested; null while there are no suggestions. @param button what searches addresses */
function SearchStatus({
  answer,
  suggested,
  isSearching,
  button,
}: {
  answer: Answer | null;
  suggested: number | null;
  isSearching: boolean;
  button: string;
}) {
  return (
    <p role="status" className="text-sm text-soft empty:hidden">
      {isSearching && <span>Finding…</span>}
      {answer && <span>{summaryOf(answer)}</span>}
      {suggested === 0 && <span>{`Press ${button} to search addresses, too.`}</span>}
      {suggested !== null && suggested > 0 && (
        <span className="sr-only">{suggested} suggestions</span>
      )}
    </p>
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
