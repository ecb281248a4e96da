export const userOf = async (request) => {
  const id = /\buser=(\w+)/.exec(request.headers.get('Cookie') ?? '')?.[1];
  return id === undefined ? null : { id };
};
