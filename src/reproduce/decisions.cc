// Which concept a value of the public data sets means, where its name does not say so.
#include <fmt/format.h>

#include "reproduce/noise_adult.h"
#include "reproduce/public_data.h"

namespace semveil::reproduction {

// Synthea's names that the Disease Ontology does not know: the same disease, or the one it is a
// case of. Findings, injuries and pregnancies are no diseases there and stay unmapped.
const std::string_view kDiseaseDecisions =
    "value,concept\n"
    "Viral sinusitis,DOID:0050127\n"
    "Acute bacterial sinusitis,DOID:0050127\n"
    "Chronic sinusitis,DOID:0050127\n"
    "Acute viral pharyngitis,DOID:2275\n"
    "Streptococcal sore throat,DOID:2275\n"
    "Body mass index 30+ - obesity,DOID:9970\n"
    "Body mass index 40+ - severely obese,DOID:11981\n"
    "Antepartum eclampsia,DOID:13593\n"
    "Hyperlipidemia,DOID:1168\n"
    "Hypertriglyceridemia,DOID:1172\n"
    "Escherichia coli urinary tract infection,DOID:0080784\n"
    "Recurrent urinary tract infection,DOID:0080784\n"
    "Child attention deficit disorder,DOID:1094\n"
    "Chronic intractable migraine without aura,DOID:12783\n"
    "Osteoarthritis of knee,DOID:8398\n"
    "Osteoarthritis of hip,DOID:8398\n"
    "Localized  primary osteoarthritis of the hand,DOID:8398\n"
    "Seizure disorder,DOID:1826\n"
    "Neuropathy due to type 2 diabetes mellitus,DOID:9743\n"
    "Diabetic renal disease,DOID:557\n"
    "Microalbuminuria due to type 2 diabetes mellitus,DOID:557\n"
    "Chronic kidney disease stage 1,DOID:784\n"
    "Chronic kidney disease stage 2,DOID:784\n"
    "Diabetic retinopathy associated with type II diabetes mellitus,DOID:8947\n"
    "Nonproliferative diabetic retinopathy due to type 2 diabetes mellitus,DOID:13208\n"
    "Proliferative diabetic retinopathy due to type II diabetes mellitus,DOID:13207\n"
    "Macular edema and retinopathy due to type 2 diabetes mellitus,DOID:9191\n"
    "Rupture of appendix,DOID:8337\n"
    "Neoplasm of prostate,DOID:10283\n"
    "Metastasis from malignant tumor of prostate,DOID:10283\n"
    "Overlapping malignant neoplasm of colon,DOID:219\n"
    "Malignant tumor of colon,DOID:219\n"
    "Primary malignant neoplasm of colon,DOID:219\n"
    "Secondary malignant neoplasm of colon,DOID:219\n"
    "Tubal pregnancy,DOID:0060329\n"
    "Perennial allergic rhinitis,DOID:4481\n"
    "Perennial allergic rhinitis with seasonal variation,DOID:4481\n"
    "Chronic congestive heart failure,DOID:6000\n"
    "Small cell carcinoma of lung,DOID:5409\n"
    "Non-small cell carcinoma of lung  TNM stage 1,DOID:3908\n"
    "Major depression  single episode,DOID:1470\n"
    "Chronic obstructive bronchitis,DOID:3083\n"
    "Brain damage - traumatic,DOID:0081292\n"
    "Concussion injury of brain,DOID:0081292\n"
    "Concussion with no loss of consciousness,DOID:0081292\n"
    "Concussion with loss of consciousness,DOID:0081292\n";

// Adult's words as persons of WordNet 3.0.
const std::string_view kFamilyDecisions =
    "value,concept\n"
    "Husband,10193967-n\n"
    "Wife,10780632-n\n"
    "Own-child,09918248-n\n"
    "Other-relative,10235549-n\n"
    "Unmarried,10164605-n\n"      // head of household
    "Not-in-family,10269458-n\n"  // lodger
    "Married-civ-spouse,10640620-n\n"
    "Married-AF-spouse,10640620-n\n"
    "Married-spouse-absent,10640620-n\n"
    "Divorced,10074249-n\n"   // ex-spouse
    "Separated,10020366-n\n"  // divorcee, also of who is separated
    "Widowed,10780284-n\n"
    "Never-married,09829923-n\n";  // bachelor

std::string occupation_decisions() {
  std::string out = "value,concept\n";
  for (const Occupation& value : kOccupations) {
    out += fmt::format("{},{}\n", value.adult, value.sense);
  }
  return out;
}

}  // namespace semveil::reproduction
