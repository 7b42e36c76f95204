import type { Person } from '#shared/moderation/people-contract.ts';
import { RowAction } from '../../../platform/admin/list/row-action.tsx';
import { List, Row, Section } from './person-parts.tsx';
import type { usePerson } from './use-person.ts';

type Acting = ReturnType<typeof usePerson>;

/** The public locations and tips of a person. */
export function PersonPlaces({
  person: { locations, tips },
  acting,
}: {
  person: Person;
  acting: Acting;
}) {
  return (
    <>
      <Section title="Public locations">
        <List>
          {locations.map((location) => (
            <Row
              key={location.id}
              actions={
                <RowAction
                  word={location.is_active ? 'Hide' : 'Unhide'}
                  about={location.name}
                  disabled={acting.isActing}
                  onClick={() => void acting.showLocation(location, !location.is_active)}
                />
              }
            >
              <div className="min-w-0">
                <p className="font-bold">{location.name}</p>
                {location.description && <p className="line-clamp-3">{location.description}</p>}
                {!location.is_active && <p className="text-sm text-soft">Hidden</p>}
              </div>
            </Row>
          ))}
        </List>
      </Section>
      <Section title="Public tips">
        <List>
          {tips.map((tip) => (
            <Row
              key={tip.id}
              actions={
                <RowAction
                  word={tip.is_active ? 'Hide' : 'Unhide'}
                  about={tip.title}
                  disabled={acting.isActing}
                  onClick={() => void acting.showTip(tip, !tip.is_active)}
                />
              }
            >
              <div className="min-w-0">
                <p className="font-bold">{tip.title}</p>
                <p className="line-clamp-3">{tip.content}</p>
                {!tip.is_active && <p className="text-sm text-soft">Hidden</p>}
              </div>
            </Row>
          ))}
        </List>
      </Section>
    </>
  );
}
