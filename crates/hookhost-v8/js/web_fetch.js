// The global fetch, from Deno's own scripts. Part of the snapshot only with the cargo feature `fetch`.

import { core } from "ext:core/mod.js";
import { define } from "ext:hookhost_hook/limited_globals.js";

const { Headers } = core.loadExtScript("ext:deno_fetch/20_headers.js");
const { FormData } = core.loadExtScript("ext:deno_fetch/21_formdata.js");
const { Request } = core.loadExtScript("ext:deno_fetch/23_request.js");
const { Response } = core.loadExtScript("ext:deno_fetch/23_response.js");
const { fetch } = core.loadExtScript("ext:deno_fetch/26_fetch.js");

define({ fetch, FormData, Headers, Request, Response });
