// Relative references to IRIs (RFC 3986, section 5.2).
//
//   base http://x/a/b?q:   c → http://x/a/c    ../c → http://x/c    #d → http://x/a/b?q#d
//
// Choice:  a reference with a scheme is taken as it is spelled, dots and all: IRIs of RDF are
//          compared letter by letter.
// Cost:    linear.
#pragma once

#include <string>
#include <string_view>

namespace semveil {

// The base has a scheme. `out` is written anew; it shares no memory with the others.
void resolve_iri(std::string_view reference, std::string_view base, std::string& out);

}  // namespace semveil
