import type { ServiceFaults } from './faults/late-service.ts';

/** What must be there to check a rule. `docs/host-check.md` names the flags for it. */
export type Need =
  'clip' | 'cookie' | 'export' | 'folder' | 'moving' | 'other' | 'project' | 'ready' | 'start';

/** One rule of the host contract, and how to check it from outside. */
export interface Rule {
  readonly id: string;
  /** What must hold, in one sentence. */
  readonly title: string;
  readonly why: string;
  readonly fix: string;
  /** A part that a host may omit. */
  readonly optional: boolean;
  /** A server in front may refuse the requests: the rules about all answers skip them. */
  readonly apart: boolean;
  readonly needs: readonly Need[];
  /** Its vectors, as written in the table. */
  readonly steps: readonly string[];
  /** How the service fails meanwhile, if it is a rule about that. */
  readonly service?: ServiceFaults;
}

/** Every call that changes something, as a page of another site sends it. */
const unsafe = (
  headers: string,
  need = '',
) => `${need}POST <token|exports> (${headers}) {} -> 403 forbidden csrf
  ${need}<POST tasks/video-to-shorts|POST uploads|DELETE tasks/$none|DELETE uploads/$none> (${headers}) {} -> 403 forbidden csrf | 404,405`;

const fixOther =
  "Call the service with the logged-in user's managed user (X-On-Behalf-Of), never only with the key. Cache everything per user.";

/**
 * The rules, in the order of the check: a start comes first, its end before the download, and the
 * rules about all answers last. A rule is its id, its title, why it exists and how to fix a host
 * that breaks it, and its vectors:
 *
 *     [NEED?] [WHO] METHOD PATH [(HEADER: VALUE; ...)] [BODY] -> EXPECTED
 *
 * A request is sent as the user, or as `nobody` or the `other`; with `NEED?`, only if that is
 * there; `finally` in any case; `leaving` five times, and aborted; `watching` until the export
 * has ended or `--timeout` is over; `start` as long as the one start runs. `<a|b>` stands for one
 * request with each; the value `-` omits a header, and null omits a field; `$name` is a value of
 * the run. EXPECTED is `STATUS WORD ... | STATUS WORD ...`, where a word is a code that the
 * problem may have, one of the `judges`, or a comparison: `name=`, `name!=`, `name~` and `name!~`
 * (a pattern) of a header, or of a field of the body (`.name`). `| absent STATUS WORD ...: NOTE`
 * is an answer by which the part is known to be missing. `every STATUS -> WORDS` judges all
 * answers so far.
 */
const table = String.raw`
attempt-in-flight [optional start]: GET /exports?attempt= answers 202 while the start is still running
  A page that was reloaded during a start waits for its export. If it gets 200 with [], it offers a second start. // Answer 202 and [] (or delay the answer) while the service works on the request with this key.
  start GET exports?attempt=$key -> 200 .0.id~. | 201,202,3xx,4xx,5xx
login-required: Without a login, every call is answered 401 unauthenticated
  Everything behind these calls costs money or is private. // Ask your own session who is logged in before anything else; if nobody is, answer 401 as problem+json with code unauthenticated. Do not redirect to a login page: the caller is a script.
  nobody POST <token|exports> {} -> 401 unauthenticated | 403 csrf
  nobody GET exports<|?id=$none|?attempt=$key|/$none?project_id=$none> -> 401 unauthenticated
  nobody GET <exports/$none/download?project_id=$none|projects/$none|tasks/$none|tasks|uploads/$none> -> 401 unauthenticated | 403 csrf | 404,405
  nobody <DELETE tasks/$none|DELETE uploads/$none|POST uploads> {} -> 401 unauthenticated | 403 csrf | 404,405
identity-header: No request header decides who the user is
  Anyone can send X-User-Id. Only the session is reliable. // Take the user from the session. If a proxy in front identifies users by a header, it must remove that header from outside requests.
  GET exports -> 200
  nobody GET exports (<X-User-Id|X-User|X-Remote-User|X-Forwarded-User|X-On-Behalf-Of>: <$other|1>) -> 401 unauthenticated
  GET exports (X-User-Id: $other; X-User: $other; X-Remote-User: $other; X-Forwarded-User: $other; X-On-Behalf-Of: <$other|1>) -> 200 sameList | 4xx
identity-query: No query parameter decides who the user is
  Anyone can write ?user= into a URL. Only the session is reliable. // Take the user from the session, and refuse unknown query parameters.
  GET exports -> 200
  nobody GET exports?<user|user_id|on_behalf_of>=<$other|1> -> 401 unauthenticated | 400 invalid-request
  GET exports?<user|user_id|on_behalf_of>=<$other|1> -> 200 sameList | 4xx
cross-site-fetch: A POST from a page of another site is refused with 403 (Sec-Fetch-Site)
  Otherwise any page that a user visits can start exports with the user's cookie. // Refuse every unsafe method with a Sec-Fetch-Site other than "same-origin", unless its Origin is on your list.
  ${unsafe('Sec-Fetch-Site: cross-site; Origin: https://clip-host-check.example')}
  ${unsafe('Sec-Fetch-Site: same-site; Origin: -', 'cookie? ')}
cross-site-origin: A POST with a foreign Origin and no Sec-Fetch-Site is refused with 403
  Older browsers send only Origin. Origins that only look like your own are foreign too. // Without Sec-Fetch-Site compare the whole Origin with the site's own, character by character.
  ${unsafe('Sec-Fetch-Site: -; Origin: $foreign')}
cross-site-neither [cookie]: A POST with neither Sec-Fetch-Site nor Origin is refused with 403
  Every browser sends one of them with a POST. Without both, the source of a request is unknown. // Refuse an unsafe method that has neither header.
  ${unsafe('Sec-Fetch-Site: -; Origin: -')}
cors-foreign: A foreign origin gets no permission to read or send (CORS)
  A page of another site could read what the user sees. // Send Access-Control-Allow-Origin only for the origins on your list; never for any Origin that a request sends, and never for "null".
  GET exports (Origin: $foreign; Sec-Fetch-Site: cross-site) -> any closed
  nobody OPTIONS exports (Origin: $foreign; Sec-Fetch-Site: cross-site; Access-Control-Request-Method: POST; Access-Control-Request-Headers: content-type,idempotency-key) -> any closed
cors-wildcard: Access-Control-Allow-Origin is never "*"
  Every answer is for one user. Browsers refuse a wildcard with credentials; without credentials it lets everyone read. // Remove the wildcard: list origins, or send no header at all.
  nobody OPTIONS exports (Origin: https://clip-host-check.example; Access-Control-Request-Method: POST) -> any access-control-allow-origin!=*
  every any -> access-control-allow-origin!=*
unknown-fields: Unknown fields in a body are refused with 400
  A misspelt field would be dropped silently, and a user id in a body must have no effect. // Validate the body against the fields of the contract, and name every other field in the refusal.
  POST token {"<clip_host_check|user_id>": "1"} -> 400 invalid-request
  POST exports {<"clip_host_check": true|"watermark": {"src_url": "https://clip.example/w.png", "x": 1}>} -> 400 invalid-request
field-checks: Fields of the wrong type are refused with 400
  What you do not validate goes to the service, at your cost. // project_id: a non-empty string. watermark: an object with src_url (http or https), pos_x and pos_y 0 to 1, scale above 0. watermark and preset_id never together.
  POST token {"project_id": 1} -> 400 invalid-request
  POST exports {<"project_id": null|"project_id": ""|"project_id": ["a"]|"folder_id": 7>} -> 400 invalid-request
  POST exports {"watermark": <"https://clip.example/w.png"|{"src_url": "javascript:alert(1)"}|{"src_url": "https://clip.example/w.png", "pos_x": 2}>} -> 400 invalid-request
  POST exports {"watermark": {"src_url": "https://clip.example/w.png"}, "preset_id": "p"} -> 400 invalid-request
field-errors: A 400 names the invalid field in errors
  The developer of the page sees what to change. // Add "errors": [{"path": "project_id", "message": "..."}] to the problem.
  <POST token {"clip_host_check": true}|POST exports {"project_id": ""}> -> 400 invalid-request .errors.0.path~. .errors.0.message~.
query-checks: An invalid query is refused with 400
  Without project_id an export cannot be found. An unknown parameter is a mistake or an attack. // Validate the query: every required parameter must be there, and no unknown one.
  GET exports<?clip_host_check=1|/$none|?id=$none&project_id=$none|?id=> -> 400 invalid-request
json-alone: A body that is not sent as application/json is refused
  A form on another site can send text/plain and form types without a preflight. // Check Content-Type before the body: answer 415 unsupported-media-type to everything except application/json.
  POST <token|exports> (Content-Type: <text/plain|application/x-www-form-urlencoded|multipart/form-data; boundary=x|text/plain; application/json>) {} -> 415,400 problem
json-broken: A body that is not a JSON object is refused with 400
  An invalid body is a mistake of the caller, so it is never a 500. // Catch the error of the JSON parser, and check that the value is an object.
  POST <token|exports> <{"project_id": |["project_id"]|null|"text"> -> 400 invalid-request
body-limit: A body over 64 kB is refused
  No call needs more. Without a limit, an attacker can fill the host's memory. // Stop reading after 64 kB and answer 413 body-too-large, whatever Content-Length says.
  POST <token|exports> {"project_id": "${'a'.repeat(80 * 1024)}"} -> 413,400 body-too-large invalid-request | 0
path-tricks [apart]: Ids with encoded slashes and dots reach no other call
  An id that is put into the service's URL unchanged could reach other calls with your key. // Split the path before decoding, take each id as one segment, and percent-encode it again in the service's URL. "." and ".." are not ids.
  GET exports/<..%2Fexports|..%2f..%2fexports|%2e%2e%2fexports|%2e%2e|..%5cexports|.%2fdownload|%00|%ff%fe|%>?project_id=$none -> 4xx
  GET <projects|tasks>/..%2Fexports -> 4xx
  GET exports/$none?project_id=<..%2Fexports|..|.|$none%2Fexports%2F$none%3Fx%3D|%252e%252e> -> 4xx
unknown-path: An unknown path is answered 404 with a problem
  The elements read problems. They cannot read HTML, such as the site's own 404 page. // Answer everything below the endpoint yourself: 404 with code endpoint-not-found to all other paths.
  <GET clip-host-check|GET exports/a/b/c|POST clip-host-check {}> -> 404 endpoint-not-found not-found
methods: Other methods are answered 405, HEAD as GET or 405, OPTIONS without an error
  A PUT that is handled as a POST starts something that nobody asked for. // Check the method of each path: answer 405 method-not-allowed with Allow to all others.
  <PUT exports {}|DELETE exports/$none|PATCH token {}|GET token> -> 405 method-not-allowed
  HEAD exports -> 200,405
  nobody OPTIONS exports -> 2xx,3xx,4xx
attempt-key: A start needs an Idempotency-Key of 8 to 128 characters of A-Z a-z 0-9 . _ -
  Without it, a repeated request pays twice. // Answer 400 invalid-request before you call the service.
  POST exports (Idempotency-Key: <-|short|${'k'.repeat(129)}|with a blank|per%20cent>) {} -> 400 invalid-request
token-shape: POST /token answers 200 with external_access_token
  clip-embed opens the player with this token. // Ask the service for a token of the user's managed user (POST /users/{id}/tokens) and answer {external_access_token, expires_at}.
  POST token {} -> 200 .external_access_token~.
token-expiry: expires_at is an ISO 8601 date in the future, null, or omitted
  The element renews the token before it expires. A wrong date makes it renew too late or all the time. // Answer the "exp" of the token as 2026-01-31T10:00:00Z, or null if it has none. Never return an expired token.
  POST token {} -> 200 expiry
token-project [clip]: POST /token accepts a project_id
  clip-embed sends the id of the clip that it shows. // Accept {"project_id": "..."} as the body; a host that does not need it for its token ignores it.
  POST token {"project_id": "$anyClip"} -> 200 .external_access_token~.
token-own [other]: Two users get different tokens
  A token opens the clips of its managed user. A shared token shows one user the clips of another. // Keep one managed user for each user of the site, and cache tokens by user.
  POST token {} -> 200 .external_access_token~.
  other POST token {} -> 200 .external_access_token~. differs:external_access_token
start [start]: POST /exports answers 201 with the export
  The button shows the export and watches it. // Start it at the service for the user's managed user, and answer 201 with a normalised Export Object; if the service answers with its start record, fetch the export once (4.8).
  START -> 201 export .project_id=$project .folder_id=$folder
start-again [start]: The same key and body again answers 200 with the same export
  A repeated request must never pay twice. // Write the attempt key, atomically and unique for each user, before the service is called; on a second request, answer with the export that is stored with it.
  START -> 201
  POST exports (Idempotency-Key: $key) $startBody -> 200 .id=$first export
start-mismatch [start]: The same key with another body answers 409 attempt-mismatch
  A key is for one intent to pay. Another clip with the same key is a mistake of the page. // Store the body with the key, and compare it before you call the service.
  START -> 201
  POST exports (Idempotency-Key: $key) {} -> 409 attempt-mismatch
start-found [start]: GET /exports?attempt= returns the export of that attempt
  After a lost answer, the page learns that the export was started and does not pay again. // Store the export's id with the attempt. If it is not known, search the clip's exports since the attempt began.
  START -> 201
  GET exports?attempt=$key -> 200 ids:$first
start-listed [start]: A started export is in the user's list and can be read
  The page finds the export again after a reload. // Start, list and read with the same managed user (X-On-Behalf-Of).
  START -> 201
  GET exports?id=$first -> 200 ids:$first
  GET exports/$first?$place -> 200 .id=$first
list: GET /exports returns the user's exports as an array
  Lists and the search for a lost start need it. // Ask the service for the managed user's exports (GET /exports with X-On-Behalf-Of); unwrap {exports: [...]}.
  GET exports -> 200 list
export-shape [export]: Exports are normalised: status processing, ready or error, ISO 8601 dates, empty fields null
  The elements know only these words; older services send in_progress, completed and failed. // Map pending and in_progress to processing, completed to ready, failed to error; send every field of the Export Object; an empty field is null.
  GET exports<|/$id?$place> -> 200 export
list-filter: GET /exports?project_id= returns only the exports of that clip
  A list next to a clip shows only what belongs to it. // Pass project_id and folder_id to the service, or filter the list yourself.
  GET exports?project_id=$none -> 200 ids:
  export? GET exports?project_id=$clip -> 200 with:$id onlyOf:$clip
list-by-id: GET /exports?id=A&id=B returns each existing export once and omits unknown ids
  One request watches all exports of a page, so a deleted clip must not make it fail. // Select the ids from the user's list; do not answer 404 if one is missing. PHP: parse the query string yourself, because $_GET keeps only the last id.
  GET exports?id=$none&id=$none -> 200 ids:
  export? GET exports?id=<$id&id=$none&id=$none|$none&id=$none&id=$id|$id&id=$id> -> 200 ids:$id
list-by-many-ids: GET /exports accepts 200 ids in one request
  A page with many clips asks for all of them at once. // Allow 200 ids, and URLs of 10 kB.
  GET exports?id=$none${'&id=$none'.repeat(199)} -> 200 ids:
read [export]: GET /exports/{id}?project_id=&folder_id= returns the export
  The button asks for its export after a reload. // Ask the service with the clip and the folder of the query (4.8).
  GET exports/$id?$place -> 200 .id=$id
read-unknown: An unknown export is 404
  The button forgets it and offers a new start. // Map the service's 404 to export-not-found.
  GET exports/$none?project_id=$none -> 404 export-not-found clip-not-found
read-other-clip [export]: An export requested with another clip is 404
  The clip's id is part of the request, so a mix-up must not succeed. // Ask the service with the project_id of the query; do not look up exports only by their id.
  GET exports/$id?project_id=$none -> 404 export-not-found clip-not-found
attempt-unknown: GET /exports?attempt= of an unknown attempt is []
  The button sends this request after a lost answer. [] means that nothing was started. // Answer 200 and [], not 404.
  GET exports?attempt=check-$none -> 200 ids:
attempt-key-named: The answer to GET /exports?attempt= has the key in its Idempotency-Key header
  The header shows that this host stores keys, so [] means that nothing was started. Without it, a page cannot tell, and offers a start that may be paid for twice. // Store the attempt keys, and send the key back in the Idempotency-Key header. For pages of other origins, add it to Access-Control-Expose-Headers too.
  GET exports?attempt=check-$one -> 200 idempotency-key=check-$one
start-unknown-clip: A start of an unknown clip is 404 clip-not-found, and stores no attempt
  Nothing was started, so the key is free again and the user learns that the clip is gone. // Map the service's 404 (or 400) on a start to clip-not-found, and drop the attempt.
  POST exports (Idempotency-Key: check-$one) {} -> 404 clip-not-found
  GET exports?attempt=check-$one -> 200 ids:
  POST exports (Idempotency-Key: check-$one) {} -> 404 clip-not-found
prefer-ignored: A Prefer header that is not understood is ignored
  Preferences are optional (RFC 7240), so none of them is an error. // Read wait=N if N is a whole number, and ignore everything else.
  GET exports?id=$none (Prefer: <wait=soon|respond-async, handling=lenient|wait=-1|wait>) -> 200 ids: within:10
wait [optional moving]: Prefer: wait=N holds the answer until an export changes, and sends Preference-Applied
  The page learns about the end at once, with few requests. // Hold at most N seconds, answer as soon as one of the exports changes, and send Preference-Applied: wait=N only then. A host that does not hold ignores the header and is polled.
  GET exports?id=$id -> 200 ids:$id
  GET exports?id=$id (Prefer: wait=1) -> 200 ids:$id within:11 held preference-applied~^\s*wait\s*=\s*1\s*$ | absent 200 preference-applied!~.: the host holds nothing: pages poll it
wait-leave [optional moving]: A client that aborts a held request frees its slot
  Pages are closed all the time, and their held requests must not pile up. // Watch for the end of the connection (the request's signal) and end the hold then.
  leaving GET exports?id=$id (Prefer: wait=<25|24|23>) -> any
  GET exports?id=$id (Prefer: wait=1) -> 200 ids:$id within:11 | absent 200 preference-applied!~.: the host holds nothing: pages poll it
settles [start]: A started export becomes ready with its file, or fails
  The page watches until then. // Pass on the service's src_url and finished_at. If a render takes longer than the check watches, raise --timeout.
  START -> 201
  watching GET exports?id=$first (Prefer: wait=25) -> 200 ids:$first .0.finished_at~. .0.status=ready .0.src_url~. | 200 ids:$first .0.finished_at~. .0.status=error
download [ready]: GET /exports/{id}/download is the file as an attachment, or redirects to one (302)
  Browsers play a file without Content-Disposition: attachment, and ignore the download attribute of a link to another origin. // The file with Content-Type: video/mp4 and Content-Disposition: attachment; filename="..."; filename*=UTF-8''...; ?name= names it. Ranges are answered with 206 or the whole file. Or 302 with the address of a file that has the header.
  GET exports/$id/download?$place -> 200 content-type~^video/mp4 content-disposition~^attachment\s*;\s*filename | 302 redirect
  GET exports/$id/download?$place&name=check-name.mp4 -> 200 content-disposition~check-name.mp4 | 302
  GET exports/$id/download?$place (Range: bytes=0-0) -> 206 content-range~^bytes.0-0/ | 200,302
download-unknown: The download of an unknown export is 404
  Without an export id the service may start and charge a new render (4.10). // Ask for the export first; never call the service for a download without export_id.
  GET exports/$none/download?project_id=$none -> 404 export-not-found clip-not-found not-found
  GET exports/$none/download -> 4xx
other-read [other export]: Another user's export is 404
  Not 403: that would reveal that it exists. // ${fixOther}
  other GET exports/$id?$place -> 404 export-not-found clip-not-found not-found
other-list [other export]: No list contains another user's exports
  A list contains only what the user owns. // ${fixOther}
  other GET exports<|?project_id=$clip> -> 200 without:$id
  other GET exports?id=$id -> 200 ids:
other-download [other ready]: Another user's export cannot be downloaded
  The file is what the other user has paid for. // ${fixOther}
  other GET exports/$id/download?$place -> 404 export-not-found clip-not-found not-found
other-attempt [other start]: Attempt keys are stored per user
  A guessed or leaked key must not reveal another user's export. // Make (user, key) the unique key of your table of attempts, not only the key.
  START -> 201
  other GET exports?attempt=$key -> 200 ids:
  other POST exports (Idempotency-Key: $key) {} -> 404 clip-not-found
other-start [other start]: Another user's clip cannot be exported: 404 clip-not-found
  It would cost the site a render and reveal the clip. // ${fixOther}
  other POST exports $startBody -> 404 clip-not-found
other-account [optional]: A start for another account than the one that is signed in is 409 (Clip-Account)
  Somebody has signed in in another tab: a click on the page of the one before would be paid for by them. // Compare the Clip-Account of a request, if it has one, with the tag of the user, before anything is stored or sent.
  POST exports (Clip-Account: of-nobody) {} -> 409 account-changed | absent any clip-account!~.: the host does not name accounts
other-project [optional other project]: Another user's clip is 404
  Not 403: that would reveal that it exists. // ${fixOther}
  GET projects/$project?$inFolder -> any | absent 404: the host does not offer clips
  other GET projects/$project?$inFolder -> 404 clip-not-found not-found
projects-read [optional project]: GET /projects/{id}?folder_id= returns the clip
  Lists of clips show names and scores. // Ask the service (4.5) for the managed user, and send every field of the Project Object; an empty field is null.
  GET projects/$project?$inFolder -> 200 clip | absent 404: the host does not offer clips
projects-list [optional folder]: GET /projects?folder_id= returns the clips of the folder
  A studio page shows all shorts of a video. // Ask the service (4.4) for the managed user; unwrap {projects: [...]}.
  GET projects?folder_id=$folder -> 200 list clip | absent 404: the host does not offer lists of clips
allowance-read [optional project]: GET /projects/{id}/allowance returns what an export would cost
  A person sees what the export of several clips costs before it is paid for. // Ask the service for the managed user.
  GET projects/$project/allowance?$inFolder -> 200 .counts~. .used~^\d+$ | absent 404,405,501: the host does not tell what exports cost
links-create [optional project]: POST /projects/{id}/links returns addresses with which the clip can be watched
  The player of a private clip needs a signed address, and a new one before it ends. // Ask the service (POST /projects/{id}/links) for the managed user.
  POST projects/$project/links?$inFolder {} -> 200 .player_url~^https?: | absent 403,404,405,501: the host gives no addresses of private clips
other-links [optional other project]: There are no addresses of another user's clip: 404
  They would show it to them. // ${fixOther}
  POST projects/$project/links?$inFolder {} -> any | absent 403,404,405,501: the host gives no addresses of private clips
  other POST projects/$project/links?$inFolder {} -> 404 clip-not-found not-found
edit-read [optional project]: GET /projects/{id}/edit returns the edit with its revision as the ETag
  A page changes an edit only from the revision that it has read. // Ask the service for the managed user, and pass its ETag on.
  GET projects/$project/edit -> 200 .revision~^\d+$ etag | absent 403,404,405: the host does not offer edits to this user
edit-revision [optional project]: PATCH /projects/{id}/edit without If-Match is 428, and with another revision 412
  Otherwise two people at once overwrite what the other has changed. // Pass If-Match to the service, and its 412 and 428 back; never send a revision of the host's own.
  GET projects/$project/edit -> any | absent 403,404,405: the host does not offer edits to this user
  PATCH projects/$project/edit {"changes": {}} -> 428 revision-missing
  PATCH projects/$project/edit (If-Match: "999999999") {"changes": {}} -> 412 revision-changed
tasks [optional]: POST /tasks/... validates its body, and an unknown task is 404
  Tasks cost money too, so the host must refuse invalid ones. // Validate the body by 4.1 and 4.2 of the specification before you call the service.
  POST tasks/<video-to-shorts|video-to-video> {} -> 400 invalid-request | absent 404,405: the host creates no tasks
  GET tasks/$none -> 404 not-found
uploads [optional]: POST /uploads validates its body, and an unknown upload is 404
  What a file may be is checked before its bytes are sent. // Validate the body before you call the service or sign an address.
  POST uploads {<|"name": "a", "size": 0>} -> 400 invalid-request | absent 403,404,405,501: the host takes no uploads of this user
  <GET|DELETE> uploads/$none -> 404 upload-not-found not-found
other-upload [optional other]: Another user's upload is 404, whatever is asked of it
  Who knows its id could make clips of the file, add bytes to it or remove it. // Call the service with the logged-in user's managed user, or seal the user in the id.
  POST uploads {"name": "clip-host-check.mp4", "size": 1} -> 201 .id~. | absent 403,404,405,501: the host takes no uploads of this user
  other <GET|DELETE> uploads/$first -> 404 upload-not-found not-found
  GET uploads/$first -> 200
  finally DELETE uploads/$first -> any
task-list [optional]: GET /tasks is a list, and a wrong page of it is 400
  A page shows the videos of the user, newest first. // Ask the service for the managed user, or your own store; unwrap {tasks: [...]}.
  GET tasks -> 200 list | absent 400,403,404,405,501: the host does not list tasks
  GET tasks?<limit=0|cursor=%3F> -> 400 invalid-request
other-tasks [optional other]: No list contains another user's tasks
  A list contains only what the user owns. // Call the service with the logged-in user's managed user (X-On-Behalf-Of), and keep a list of your own per user.
  GET tasks -> 200 list | absent 400,403,404,405,501: the host does not list tasks
  other GET tasks -> 200 without:$first
other-task [optional other start]: Another user's task is 404, also when it is to be deleted
  Deleted clips do not come back. // Call the service with the logged-in user's managed user, never only with the key.
  GET tasks -> 200 list | absent 400,403,404,405,501: the host does not list tasks
  other GET tasks/$first -> 404 not-found
  other DELETE tasks/$first -> 404 not-found | 405,501
  GET tasks/$first -> 200
no-store: Every answer has Cache-Control: no-store
  No cache between host and page may store tokens or the state of exports. // Set Cache-Control: no-store on all answers, errors too.
  every any -> cache-control~\bno-store\b
problem-shape: Every error is application/problem+json with a known code and its status
  The code decides what the elements show and whether they try again. // Answer every error yourself, including those of your framework: {type, title, status, code}, with the contract's codes.
  every 4xx,5xx -> problem
json-type: Every successful answer except the file is application/json
  A browser that reads an answer as HTML would run the scripts in it. // Set Content-Type: application/json.
  every 200,201 -> content-type~^(application/json|video/)\b
no-echo: No answer contains a key, a cookie or an Authorization header
  The secrets of a request must not end up on a page or in a log. // Never put headers of the request, or headers sent to the service, into an answer. No stack traces, no upstream errors.
  <GET clip-host-check|GET exports/$none|nobody GET exports> (Authorization: Bearer probe-$one; X-Api-Key: probe-$one) -> any
  POST <token|exports> (Authorization: Bearer probe-$one; X-Api-Key: probe-$one) <{|{}> -> any
  every any -> noEcho
rate-limit: A 429 has a Retry-After header
  The elements wait that long. Without it they have to guess. // Send Retry-After in whole seconds with every 429, and the code rate-limited.
  every 429 -> retry-after~^\d+$`;

/**
 * What a host makes of a service that fails; `docs/decisions/0020` says why. A rule is its title,
 * how the service fails, and what a page sends: `start` is `POST /exports` with an attempt key
 * (a or b), `ask` is `GET /exports?attempt=`, and `12 s` waits until 12 s after the last start
 * has reached the service. At the end it has made one export, whatever has failed.
 */
const faultTable = `
fault-answered: An answered start
  {"starts": [{}]}
  start a: export; start a: export; ask a: export
fault-lost-after-work: The connection breaks after the work
  {"starts": [{"answer": "drop"}]}
  start a: unknown; ask a: export; start a: export
fault-late-work: A 504 comes while the service goes on working
  {"starts": [{"workMs": 10000, "answer": 504}]}
  start a: unknown; ask a: in-flight; start a: unknown; 12 s; ask a: export; start a: export
fault-time-out: The host's own time-out comes while the service goes on working
  {"starts": [{"workMs": 35000, "answerMs": 90000}]}
  start a: unknown | export; 95 s; ask a: export; start a: export
fault-failed-before-work: A 503 comes before the work, and nothing is done
  {"starts": [{"work": false, "answer": 503}, {}]}
  start a: unknown; ask a: in-flight; 100 s; ask a: in-flight; 125 s; ask a: no-promise; start a: export
fault-lost-before-work: The connection breaks before the work, and nothing is done
  {"starts": [{"work": false, "answer": "drop"}, {}]}
  start a: unknown; start a: unknown; 125 s; ask a: no-promise; start a: export
fault-refused: The service refuses
  {"starts": [{"work": false, "answer": 402}, {}]}
  start a: refused; ask a: nothing; start a: export
fault-keys-lost-after-work: The service keeps keys, and the connection breaks after the work
  {"keepsKeys": true, "starts": [{"answer": "drop"}]}
  start a: unknown; ask a: export; start a: export
fault-keys-failed-before-work: The service keeps keys, and a 503 comes before the work
  {"keepsKeys": true, "starts": [{"work": false, "answer": 503}, {}]}
  start a: unknown; ask a: nothing | in-flight; 125 s; ask a: nothing | no-promise; start a: export
fault-keys-late-work: The service keeps keys, and a 504 comes while it goes on working
  {"keepsKeys": true, "starts": [{"workMs": 8000, "answer": 504}, {}]}
  start a: unknown; start a: export | unknown; 12 s; ask a: export
fault-list-late: The list shows a new export late
  {"listLateMs": 10000, "starts": [{"answer": "drop"}]}
  start a: unknown; ask a: in-flight; start a: unknown; 12 s; ask a: export
fault-list-cut: The list is cut, and what is missing is on the next page
  {"listCut": true, "starts": [{"answer": "drop"}]}
  start a: unknown; ask a: in-flight | export; 125 s; ask a: no-promise | export; start a: unknown | export
fault-list-fails: The list fails while the outcome is open
  {"listFails": 2, "starts": [{"answer": "drop"}]}
  start a: unknown; start a: unknown | failed; ask a: in-flight | failed; ask a: export
fault-twice-at-once: One request arrives twice at once
  {"starts": [{"workMs": 500, "answerMs": 500}]}
  start a twice: export | unknown; ask a: export
fault-two-options: A plain start never arrives, and one with a watermark is lost
  {"starts": [{"work": false, "answer": "drop"}, {"answer": "drop"}]}
  start a: unknown; start b with watermark: unknown; ask a: in-flight; ask b: export; start b with watermark: export
fault-two-lost: Two lost starts, and one export that either may have started
  {"hidesWatermark": true, "starts": [{"work": false, "answer": "drop"}, {"answer": "drop"}]}
  start a: unknown; start b with watermark: unknown; ask a: in-flight; ask b: in-flight; 125 s; ask a: no-promise; start a: unknown; start b with watermark: unknown
fault-late-refusal: A late refusal of one key after another start
  {"starts": [{}, {"work": false, "answer": 402}]}
  start a: export; start b: refused; start a: export; ask b: nothing
fault-killed-during-work: The host is killed during a start, and the service goes on working
  {"starts": [{"workMs": 3000, "answerMs": 60000}]}
  start a killed; ask a: in-flight | export; 8 s; start a: export; ask a: export
fault-killed-before-work: The host is killed during a start that never arrives
  {"starts": [{"work": false, "answerMs": 60000}, {}]}
  start a killed; ask a: in-flight; start a: unknown; 130 s; ask a: no-promise; start a: export`;

const blocksOf = (text: string): string[][] =>
  text
    .trim()
    .split(/\n(?=\S)/)
    .map((block) => block.split('\n').map((line) => line.trim()));

/** The rules that need no service that fails, in the order of the check. */
export const rules: readonly Rule[] = blocksOf(table).map(([head = '', reason = '', ...steps]) => {
  const [, id, marks = '', title] = /^([a-z-]+)(?: \[(.*?)\])?: (.+)$/.exec(head) ?? [];
  const [why, fix] = reason.split(' // ');
  if (!id || !title || !why || !fix || !steps.length) throw new Error(`Not a rule: ${head}`);
  const words = marks.split(' ').filter(Boolean);
  const needs = words.filter((word) => word !== 'optional' && word !== 'apart') as Need[];
  const flags = { optional: words.includes('optional'), apart: words.includes('apart') };
  return { id, title, why, fix, ...flags, needs, steps };
});

/** What a host may answer to a start and to a question, as the table of rules says it. */
const outcomes: Readonly<Record<string, string>> = {
  'start export': '200,201 sameExport:KEY',
  'ask export': '200 list sameExport:KEY',
  unknown: '5xx .unknown_outcome=true',
  'in-flight': '202 ids:',
  nothing: '200 ids: idempotency-key=KEY',
  'no-promise': '200 ids: idempotency-key!=KEY',
  refused: '4xx',
  failed: '5xx .unknown_outcome!=true',
  // Of a start whose host is killed.
  '': 'any',
};

/** A step of a page, as a vector of the other rules. */
function vectorOf(step: string): string {
  const [, sent, name, watermark, how = '', expected = ''] =
    /^(start|ask) ([ab])( with watermark)?( twice| killed)?(?:: (.+))?$/.exec(step) ?? [];
  if (!sent) return step;
  const key = `$${name}`;
  const mark = watermark ? ', "watermark": {"src_url": "https://example.com/watermark.png"}' : '';
  const start = `POST exports (Idempotency-Key: ${key}) {"project_id": "$faulty"${mark}}`;
  const answers = expected.split(' | ').map((word) => {
    const answer = outcomes[word] ?? outcomes[`${sent} ${word}`];
    if (!answer) throw new Error(`Not an outcome: ${word}`);
    return answer.replaceAll('KEY', key);
  });
  const request = sent === 'ask' ? `GET exports?attempt=${key}` : start;
  return `${how.trim()} ${request} -> ${answers.join(' | ')}`.trim();
}

/** The rules about a service that fails. */
export const faultRules: readonly Rule[] = blocksOf(faultTable).map(
  ([head = '', service = '', steps = '']) => ({
    id: head.split(': ')[0]!,
    title: head.split(': ')[1]!,
    why: 'A start that is sent again is paid for again, and one that is given up may have been paid for.',
    fix: 'Keep the table "The host" of docs/decisions/0020-paid-once.md in the repository of clip-kit.',
    optional: false,
    apart: false,
    needs: [],
    steps: steps.split('; ').map(vectorOf),
    service: JSON.parse(service) as ServiceFaults,
  }),
);
