import { Navigate, useMatch } from 'react-router-dom';
import { AddFriendPage } from '../friend-links/add-friend-page.tsx';
import { PersonPage } from './person-page.tsx';

/** The screens below `/people`: profiles, and the friend links that lead to them. */
export default function PeoplePages() {
  const link = useMatch('/people/add/:token');
  const person = useMatch('/people/:userId');
  if (link) return <AddFriendPage token={link.params.token ?? ''} />;
  if (person) return <PersonPage userId={person.params.userId ?? ''} />;
  return <Navigate to="/social" replace />;
}
